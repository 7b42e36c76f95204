import { MessageCircleOff } from 'lucide-react';
import { useState } from 'react';
import { sendMessage } from '#shared/chat/contract.ts';
import type { SendOutcome } from '#shared/moderation/rules.ts';
import { SanctionNotice } from '../../moderation/sanction-notice.tsx';
import { useAcceptance } from '../../moderation/use-guidelines-acceptance.ts';
import { useAccountStatus } from '../../moderation/use-account-status.ts';
import { useWordFilter } from '../../moderation/use-word-filter.ts';
import { WordWarning } from '../../moderation/filter-warning.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorBanner } from '../../ui/error-banner.tsx';
import { Compose } from './message-input.tsx';
import { SafetyNotice } from './safety-notice.tsx';
import { CannotSendError } from '../thread/thread-view.ts';
import { useDraft } from './use-draft.ts';
import type { OwnThread } from '../thread/use-thread.ts';

/** What is being written: here at once, on the owner's other devices soon, and from them while nobody writes here. */
function useWriting(friendUserId: string) {
  const draft = useDraft(friendUserId);
  const [typed, setTyped] = useState<string | null>(null);
  if (typed !== null && typed === draft.text) setTyped(null);
  return {
    text: typed ?? draft.text,
    write: (text: string) => {
      setTyped(text);
      draft.keep(text);
    },
    clear: () => {
      setTyped('');
      draft.clear();
    },
  };
}

/** Where a message to a friend is written, once the guidelines are accepted; and what the word filter says of it. */
export function WriteMessage({
  thread,
  friendUserId,
  name,
  onGuidelines,
}: {
  thread: OwnThread;
  friendUserId: string;
  name: string;
  onGuidelines: () => void;
}) {
  const { acceptedAt } = useAcceptance();
  const { restriction } = useAccountStatus();
  const check = useWordFilter();
  const { text, write, clear } = useWriting(friendUserId);
  const [outcome, setOutcome] = useState<SendOutcome>('sent');
  const [failure, setFailure] = useState<string | null>(null);

  function send() {
    const next = check(text);
    setFailure(null);
    setOutcome(next);
    if (next === 'blocked') return;
    try {
      thread.send(text.trim());
    } catch (error) {
      // The warning says that the message went.
      setOutcome('sent');
      setFailure(error instanceof CannotSendError ? error.message : 'Please send it again.');
      if (!(error instanceof CannotSendError)) console.error(sendMessage.failure, error);
      return;
    }
    thread.setTyping(false);
    clear();
  }

  return (
    <div
      data-fills-window
      className="flex max-h-[65%] shrink-0 flex-col gap-3 overflow-y-auto border-t border-line bg-surface px-3 py-2.5 sm:px-4"
    >
      <SanctionNotice />
      {thread.isFrozen && !restriction && (
        <p role="status" className="flex gap-3 rounded-control bg-sunken p-3.5">
          <MessageCircleOff aria-hidden className="mt-0.5 size-5 shrink-0" />
          <span>You can’t send messages right now, but you can still read them.</span>
        </p>
      )}
      <WordWarning
        outcome={outcome}
        action={
          <Button look="quiet" className="-ml-5" onClick={onGuidelines}>
            Safety Guidelines
          </Button>
        }
      />
      {failure && <ErrorBanner title={sendMessage.failure}>{failure}</ErrorBanner>}
      <div className="flex flex-col gap-3 low:flex-row low:flex-wrap low:items-end">
        {!acceptedAt && !restriction && <SafetyNotice onOpen={onGuidelines} />}
        <Compose
          name={name}
          text={text}
          isDisabled={
            !acceptedAt || restriction !== null || thread.isFrozen || thread.status !== 'ready'
          }
          onText={(next) => {
            setOutcome('sent');
            setFailure(null);
            write(next);
            thread.setTyping(next.trim() !== '');
          }}
          onSend={send}
        />
      </div>
    </div>
  );
}
