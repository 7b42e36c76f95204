import { useCallback, useEffect, useRef, useState } from 'react';
import { formatDate } from '#shared/dates.ts';
import { listGuidelines, type Guideline } from '#shared/moderation/contract.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Checkbox } from '../../platform/ui/inputs/checkbox.tsx';
import { useGuidelinesAcceptance } from './use-guidelines-acceptance.ts';
import { useGuidelines, type GuidelinesState } from './use-guidelines.ts';

/** Distance from the end that counts as read to the end. */
const AT_END_PX = 10;

/** The community safety guidelines, which users must read to the end and accept before they write to others. */
export default function GuidelinesModal({ onClose }: { onClose: () => void }) {
  return (
    <Modal open onClose={onClose} title="Community Safety Guidelines">
      <Guidelines onClose={onClose} />
    </Modal>
  );
}

function Guidelines({ onClose }: { onClose: () => void }) {
  const { guidelines, state } = useGuidelines();
  const { acceptedAt, accept } = useGuidelinesAcceptance();
  const [isTicked, setTicked] = useState(false);
  const [isRead, setRead] = useState(false);
  const content = useRef<HTMLDivElement>(null);

  const checkEnd = useCallback(() => {
    const { current } = content;
    if (!current || guidelines.length === 0) return;
    if (current.scrollHeight - current.scrollTop - current.clientHeight <= AT_END_PX) setRead(true);
  }, [guidelines]);
  // Text that fits without scrolling counts as read.
  useEffect(checkEnd, [checkEnd]);

  return (
    <div className="flex flex-col gap-4">
      <div
        ref={content}
        role="region"
        aria-label="Guidelines"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={checkEnd}
        className="max-h-[max(12rem,calc(100dvh-24rem))] overflow-y-auto overscroll-contain rounded-control border border-line bg-ground p-3"
      >
        <GuidelinesText guidelines={guidelines} state={state} />
      </div>
      {acceptedAt ? (
        <>
          <p className="text-soft">You accepted these guidelines on {formatDate(acceptedAt)}.</p>
          <Button wide look="secondary" onClick={onClose}>
            Close
          </Button>
        </>
      ) : (
        <>
          <Checkbox
            label="I have read these guidelines and agree to follow them"
            checked={isTicked}
            onChange={setTicked}
          />
          {guidelines.length > 0 && (
            <p className={`text-sm text-soft ${isRead ? 'invisible' : ''}`}>
              Scroll to the end of the guidelines to accept them.
            </p>
          )}
          <div className="actions">
            <Button wide look="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button
              wide
              disabled={!isTicked || !isRead}
              onClick={() => {
                accept();
                onClose();
              }}
            >
              Accept
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

/** The community safety guidelines, or why they can't be shown. */
function GuidelinesText({
  guidelines,
  state,
}: {
  guidelines: readonly Guideline[];
  state: GuidelinesState;
}) {
  if (state === 'loading') return <Skeleton label="Loading guidelines…" lines={5} />;
  if (state === 'offline')
    return (
      <p>
        You’re offline. Connect once to load the guidelines; after that, they’re available offline.
      </p>
    );
  if (state === 'failed') return <ErrorBanner>{listGuidelines.failure}</ErrorBanner>;
  return (
    <ol className="flex flex-col gap-3 text-sm">
      {guidelines.map(({ id, title, description, examples, consequences }) => (
        <li key={id} className="flex flex-col gap-0.5">
          <h3 className="text-base font-bold">{title}</h3>
          <p>{description}</p>
          {examples.length > 0 && (
            <ul className="flex list-disc flex-col pl-5 text-soft">
              {examples.map((example) => (
                <li key={example}>{example}</li>
              ))}
            </ul>
          )}
          <p className="border-l-4 border-line-strong pl-3 text-soft">{consequences}</p>
        </li>
      ))}
    </ol>
  );
}
