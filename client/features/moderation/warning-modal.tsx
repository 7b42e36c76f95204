import { useState } from 'react';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useNow } from '../../platform/use-now.ts';
import { inOrder, titleOf } from './sanction-text.ts';
import { Sanction } from './sanction.tsx';
import { useAccountStatus } from './use-account-status.ts';

/** Number of older decisions shown at first, in addition to new and active ones. */
const SHOWN = 10;

/** The user's sanctions, to acknowledge or appeal: `?open=warning`. */
export default function WarningModal({ onClose }: { onClose: () => void }) {
  const { warnings, isKnown, unseen, restriction, acknowledge, userId } = useAccountStatus();
  const [showsAll, setShowsAll] = useState(false);
  const now = useNow();
  const shown = inOrder(warnings, unseen, restriction, showsAll ? Infinity : SHOWN);
  return (
    <Modal open onClose={onClose} title="From our moderators">
      {warnings.length === 0 && (
        <p>
          {isKnown
            ? 'There are no decisions about you.'
            : 'We couldn’t load our decisions. Check your connection and try again.'}
        </p>
      )}
      <ul className="flex flex-col divide-y divide-line">
        {shown.map((warning) => (
          <li key={warning.id} className="flex flex-col gap-3 py-4 first:pt-0 last:pb-0">
            <h3 className="text-lg font-bold">{titleOf(warning, now)}</h3>
            <Sanction warning={warning} userId={userId}>
              {unseen.includes(warning) && (
                <Button wide onClick={() => acknowledge(warning)}>
                  I understand
                </Button>
              )}
            </Sanction>
          </li>
        ))}
      </ul>
      {shown.length < warnings.length && (
        <Button look="quiet" wide onClick={() => setShowsAll(true)}>
          Show older decisions
        </Button>
      )}
    </Modal>
  );
}
