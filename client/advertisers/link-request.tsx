import { MailCheck } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { sendDeskLink } from '#shared/advertisers/desk-contract.ts';
import { call } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Field } from '../ui/field.tsx';
import { useProblems } from '../use-problems.ts';
import { problemsIn, unanswered } from './field-problems.ts';

/** For who has no link here: asks for a new one by email. */
export function LinkRequest() {
  const [email, setEmail] = useState('');
  const { form, words, fields, show, showRefusal, forgive } = useProblems();
  const [state, setState] = useState<'open' | 'sending' | 'sent'>('open');

  async function send(event: FormEvent) {
    event.preventDefault();
    const body = { email };
    const wrong = sendDeskLink.body ? problemsIn(sendDeskLink.body, body) : null;
    show('', wrong?.fields);
    if (wrong) return;
    setState('sending');
    try {
      await call(sendDeskLink, { body });
      setState('sent');
    } catch (error) {
      showRefusal(error, unanswered(sendDeskLink.failure));
      setState('open');
    }
  }

  return (
    <Card title="Your own link">
      <p className="mb-4 text-soft">
        The emails that we sent about your ads have a link that opens this page. Is it not at hand?
        We send you a new one.
      </p>
      {state === 'sent' ? (
        <p role="status" className="flex gap-2.5 rounded-control bg-accent-soft p-4">
          <MailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
          <span className="min-w-0 wrap-anywhere">
            If there are ads for {email.trim()}, a link is on its way there.
          </span>
        </p>
      ) : (
        <form
          ref={form}
          onSubmit={(event) => void send(event)}
          noValidate
          className="flex flex-col gap-4"
        >
          <Field
            label="Email"
            type="email"
            autoComplete="email"
            value={email}
            onChange={({ target }) => {
              forgive('email');
              setEmail(target.value);
            }}
            error={fields['email']}
            required
          />
          {words && <ErrorBanner>{words}</ErrorBanner>}
          <Button type="submit" wide pending={state === 'sending' && 'Sending…'}>
            Send me a link
          </Button>
        </form>
      )}
    </Card>
  );
}
