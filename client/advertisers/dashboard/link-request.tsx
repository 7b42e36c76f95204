import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { sendDashboardLink } from '#shared/advertisers/dashboard-contract.ts';
import { call } from '../../http/api.ts';
import { Form } from '../../forms/form.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { requireSchema } from '../field-problems.ts';

/** Requests a new link by email. */
export function LinkRequest() {
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const form = useSubmit(async () => {
    const body = { email };
    requireSchema(sendDashboardLink.body, body);
    await call(sendDashboardLink, { body });
    setSent(true);
  });
  const field = form.bind({ email }, (_, text) => setEmail(text));

  return (
    <Card title="Get your link">
      <p className="mb-4 text-soft">
        The emails about your ads have a link that opens this page. Don’t have it? We’ll send you a
        new one.
      </p>
      {isSent ? (
        <p role="status" className="flex gap-2.5 rounded-control bg-accent-soft p-4">
          <MailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
          <span className="min-w-0 wrap-anywhere">
            If there are ads for {email.trim()}, we’ve emailed you a link.
          </span>
        </p>
      ) : (
        <Form form={form} submit="Send me a link" pending="Sending…">
          <Field label="Email" type="email" autoComplete="email" {...field('email')} required />
        </Form>
      )}
    </Card>
  );
}
