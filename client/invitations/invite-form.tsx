import { Send } from 'lucide-react';
import { useRef, useState, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import {
  createInvitation,
  INVITATION_DAYS_CHOICES,
  INVITATION_DAYS_DEFAULT,
  invitationFields,
  type SearchInvitation,
} from '#shared/invitations/contract.ts';
import { CallError } from '../call.ts';
import { useUser } from '../session/use-auth.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Field } from '../ui/field.tsx';
import { invite } from './use-invitations.ts';

const inDays = (days: number) => (days === 1 ? '1 day' : `${days} days`);

/** Makes an invitation code for somebody, by their email address. */
export function InviteForm({ onMade }: { onMade: (invitation: SearchInvitation) => void }) {
  const user = useUser();
  const [email, setEmail] = useState('');
  const [days, setDays] = useState<number>(INVITATION_DAYS_DEFAULT);
  const [error, setError] = useState('');
  const [failure, setFailure] = useState('');
  const [isSending, setSending] = useState(false);
  // The same again when an answer is lost, so that there is one invitation; another for another wish.
  const attempt = useRef({ of: '', key: '' });
  const field = useRef<HTMLInputElement>(null);

  function show(wrong: string): void {
    flushSync(() => setError(wrong));
    if (wrong) field.current?.focus();
  }

  async function send(event: FormEvent) {
    event.preventDefault();
    if (isSending || !user) return;
    const parsed = invitationFields.safeParse({ invited_email: email, expires_in_days: days });
    setFailure('');
    show(parsed.error?.issues[0]?.message ?? '');
    if (!parsed.success) return;
    const of = JSON.stringify(parsed.data);
    if (attempt.current.of !== of) attempt.current = { of, key: crypto.randomUUID() };
    setSending(true);
    try {
      const made = await invite(user.id, parsed.data, attempt.current.key);
      attempt.current = { of: '', key: '' };
      setEmail('');
      onMade(made);
    } catch (thrown) {
      const refusal = thrown instanceof CallError ? thrown : null;
      const wrong = refusal?.fields['invited_email'];
      if (wrong) show(wrong);
      else setFailure(refusal?.message ?? createInvitation.failure);
    }
    setSending(false);
  }

  return (
    <form onSubmit={(event) => void send(event)} noValidate className="flex flex-col gap-4">
      <Field
        ref={field}
        label="Email of whoever you invite"
        type="email"
        inputMode="email"
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={error}
        required
      />
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1.5 font-semibold">The code works for</legend>
        <div className="grid grid-cols-3 gap-2 sm:grid-cols-5">
          {INVITATION_DAYS_CHOICES.map((choice) => (
            <label
              key={choice}
              className="flex min-h-11 cursor-pointer items-center justify-center rounded-control border border-line-strong px-2 font-semibold has-checked:border-2 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="expires_in_days"
                value={choice}
                checked={days === choice}
                onChange={() => setDays(choice)}
                className="sr-only"
              />
              {inDays(choice)}
            </label>
          ))}
        </div>
      </fieldset>
      {failure && <ErrorBanner>{failure}</ErrorBanner>}
      <Button
        type="submit"
        wide
        pending={isSending && 'Creating…'}
        icon={<Send aria-hidden className="size-5 shrink-0" />}
      >
        Create invitation
      </Button>
    </form>
  );
}
