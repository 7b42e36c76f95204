import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import {
  APPEAL_MAX,
  APPEAL_MIN,
  appealWarning,
  type UserWarning,
} from '#shared/moderation/contract.ts';
import { call } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { useRequestKey } from '../use-problems.ts';
import { putWarning } from './use-standing.ts';

/** What became of an appeal, or the form for one. */
export function Appeal({ warning, userId }: { warning: UserWarning; userId: string }) {
  const [isOpen, setOpen] = useState(false);
  const { appeal } = warning;
  if (appeal)
    return (
      <div className="rounded-control bg-sunken p-3" role="status">
        <p className="font-bold">
          {appeal.status === 'pending' && 'You appealed. A moderator will look at it again.'}
          {appeal.status === 'upheld' && 'A moderator reviewed it and upheld the decision.'}
          {appeal.status === 'lifted' && 'A moderator reviewed it and withdrew the decision.'}
        </p>
        {appeal.answer && <p className="mt-1 break-words whitespace-pre-wrap">{appeal.answer}</p>}
      </div>
    );
  if (isOpen) return <AppealForm warning={warning} userId={userId} />;
  return (
    <Button look="quiet" className="-ml-5 self-start" onClick={() => setOpen(true)}>
      Appeal
    </Button>
  );
}

function AppealForm({ warning, userId }: { warning: UserWarning; userId: string }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const [text, setText] = useState('');
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState('');
  const { keyFor } = useRequestKey();
  const words = text.trim();

  async function send(event: FormEvent) {
    event.preventDefault();
    if (words.length < APPEAL_MIN) return;
    setSending(true);
    setProblem('');
    try {
      const params = { id: warning.id };
      const body = { text: words };
      const idempotencyKey = keyFor(params, body);
      const answer = await call(appealWarning, { params, body, idempotencyKey });
      putWarning(userId, answer.warning);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setSending(false);
    }
  }

  return (
    <form onSubmit={(event) => void send(event)} className="flex flex-col gap-2">
      <label htmlFor={id} className="font-bold">
        Why should we reverse this?
      </label>
      <textarea
        ref={field}
        id={id}
        rows={4}
        required
        minLength={APPEAL_MIN}
        maxLength={APPEAL_MAX}
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-describedby={`${id}-count`}
        className="w-full rounded-control border border-line-strong bg-surface px-3.5 py-2 text-ink"
      />
      <p id={`${id}-count`} className="flex justify-between gap-3 text-sm text-soft tabular-nums">
        <span>At least {APPEAL_MIN} characters</span>
        <span>
          {text.length} of {APPEAL_MAX}
        </span>
      </p>
      {problem && <ErrorBanner>{problem}</ErrorBanner>}
      <Button
        type="submit"
        wide
        disabled={words.length < APPEAL_MIN}
        pending={sending && 'Sending…'}
      >
        Send appeal
      </Button>
    </form>
  );
}
