import { Send } from 'lucide-react';
import { useState } from 'react';
import { invitationFields, type SearchInvitation } from '#shared/invitations/contract.ts';
import { INVITATION_DAYS_CHOICES, INVITATION_DAYS_DEFAULT } from '#shared/invitations/rules.ts';
import { Form } from '../../platform/forms/form.tsx';
import { parseForm, useSubmit } from '../../platform/forms/use-submit.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { invite } from './use-invitations.ts';

const inDays = (days: number) => (days === 1 ? '1 day' : `${days} days`);

/** Creates an invitation code for an email address. */
export function InviteForm({ onMade }: { onMade: (invitation: SearchInvitation) => void }) {
  const user = useUser();
  const [email, setEmail] = useState('');
  const [days, setDays] = useState<number>(INVITATION_DAYS_DEFAULT);
  const [isMade, setMade] = useState(false);

  const form = useSubmit(
    async (keyFor) => {
      // Already created by an earlier press.
      if (isMade || !user) return;
      const fields = parseForm(invitationFields, { invited_email: email, expires_in_days: days });
      const made = await invite(user.id, fields, keyFor(fields));
      setEmail('');
      setMade(true);
      onMade(made);
    },
    { staysOpen: true },
  );
  const field = form.bind({ invited_email: email }, (_, text) => {
    setEmail(text);
    setMade(false);
  });

  return (
    <Form form={form} submit="Create invitation" pending="Creating…" Icon={Send}>
      <Field
        label="Your friend’s email"
        type="email"
        inputMode="email"
        autoComplete="off"
        {...field('invited_email')}
        required
      />
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1.5 font-bold">It works for</legend>
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
    </Form>
  );
}
