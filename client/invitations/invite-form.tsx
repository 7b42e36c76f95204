import { Send } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { fieldsOf } from '#shared/endpoint.ts';
import {
  createInvitation,
  INVITATION_DAYS_CHOICES,
  INVITATION_DAYS_DEFAULT,
  invitationFields,
  type SearchInvitation,
} from '#shared/invitations/contract.ts';
import { useUser } from '../session/use-auth.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { FormProblem } from '../ui/form-problem.tsx';
import { useProblems, useRequestKey } from '../use-problems.ts';
import { invite } from './use-invitations.ts';

const inDays = (days: number) => (days === 1 ? '1 day' : `${days} days`);

/** Makes an invitation code for somebody, by their email address. */
export function InviteForm({ onMade }: { onMade: (invitation: SearchInvitation) => void }) {
  const user = useUser();
  const [email, setEmail] = useState('');
  const [days, setDays] = useState<number>(INVITATION_DAYS_DEFAULT);
  const { form, words, fields, isUnanswered, show, showRefusal, forgive } = useProblems();
  const { keyFor, forget } = useRequestKey();
  const [isSending, setSending] = useState(false);
  const [isMade, setMade] = useState(false);

  async function send(event: FormEvent) {
    event.preventDefault();
    // Pressed once more, it is made already.
    if (isSending || isMade || !user) return;
    const parsed = invitationFields.safeParse({ invited_email: email, expires_in_days: days });
    show('', fieldsOf(parsed.error));
    if (!parsed.success) return;
    setSending(true);
    try {
      const made = await invite(user.id, parsed.data, keyFor(parsed.data));
      forget();
      setEmail('');
      setMade(true);
      onMade(made);
    } catch (error) {
      showRefusal(error, createInvitation.failure);
    }
    setSending(false);
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => void send(event)}
      noValidate
      className="flex flex-col gap-4"
    >
      <Field
        label="Your friend’s email"
        type="email"
        inputMode="email"
        autoComplete="off"
        value={email}
        onChange={(event) => {
          setEmail(event.target.value);
          setMade(false);
          forgive('invited_email');
        }}
        error={fields['invited_email']}
        required
      />
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1.5 font-bold">The code works for</legend>
        <div className="grid grid-cols-3 gap-2 sm:grid-cols-5">
          {INVITATION_DAYS_CHOICES.map((choice) => (
            <label
              key={choice}
              className="flex min-h-11 cursor-pointer items-center justify-center rounded-control border border-line-strong px-2 font-bold has-checked:border-2 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
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
      <FormProblem words={words} isUnanswered={isUnanswered} />
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
