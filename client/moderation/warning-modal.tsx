import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { Measure } from './measure.tsx';
import { MEASURES } from './measure-words.ts';
import { WARNING_TYPES } from './names.ts';
import { useStanding } from './use-standing.ts';

/** So many of before are shown beside what holds. */
const SHOWN = 10;

/** What moderators did about the owner: to be acknowledged, or appealed against. `?open=warning`. */
export default function WarningModal({ onClose }: { onClose: () => void }) {
  const { warnings, unseen, acknowledge, userId } = useStanding();
  return (
    <Modal open onClose={onClose} title="From our moderators">
      {warnings.length === 0 && <p>There is nothing here, and nothing to worry about.</p>}
      <ul className="flex flex-col divide-y divide-line">
        {warnings.slice(0, SHOWN).map((warning) => (
          <li key={warning.id} className="flex flex-col gap-3 py-4 first:pt-0 last:pb-0">
            <h3 className="text-lg font-bold">
              {warning.lifted_at
                ? `${WARNING_TYPES[warning.warning_type]}, taken back`
                : MEASURES[warning.warning_type].title}
            </h3>
            <Measure warning={warning} userId={userId} />
            {unseen.includes(warning) && (
              <Button wide onClick={() => acknowledge(warning)}>
                I understand
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Modal>
  );
}
