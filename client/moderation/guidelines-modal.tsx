import { useCallback, useEffect, useRef, useState } from 'react';
import { formatDate } from '#shared/dates.ts';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { GuidelinesText } from './guidelines-text.tsx';
import { useAcceptance } from './use-guidelines-acceptance.ts';
import { useGuidelines } from './use-guidelines.ts';

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
  const { acceptedAt, accept } = useAcceptance();
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
        className="max-h-[52dvh] overflow-y-auto overscroll-contain rounded-control border border-line bg-ground p-4"
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
