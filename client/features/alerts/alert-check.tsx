import { toast } from 'sonner';
import type { z } from 'zod';
import { createAlert } from '#shared/alerts/admin-contract.ts';
import { Form } from '../../platform/forms/form.tsx';
import { useSubmit } from '../../platform/forms/use-submit.ts';
import { call } from '../../platform/http/api.ts';
import { Time } from '../../platform/ui/layout/time.tsx';
import { useNow } from '../../platform/use-now.ts';
import { AlertPreview, AlertReach } from './alert-preview.tsx';

type Body = NonNullable<(typeof createAlert)['body']>;

/** Shows an alert as people will see it and how many it reaches, before it is sent. */
export function AlertCheck({
  alert,
  body,
  onBack,
  onDone,
}: {
  alert: z.output<Body>;
  body: z.input<Body>;
  onBack: () => void;
  onDone: () => void;
}) {
  const { affected_latitude: latitude, affected_longitude: longitude, radius_miles } = alert;
  const now = useNow();
  const isAhead = alert.starts_at && Date.parse(alert.starts_at) > now;
  const form = useSubmit(async (keyFor) => {
    const { alert: created } = await call(createAlert, { body, idempotencyKey: keyFor(body) });
    const isScheduled = Date.parse(created.starts_at) > Date.now();
    toast(`“${created.title}” is ${isScheduled ? 'scheduled' : 'active'}`);
    onDone();
  });
  return (
    <Form
      form={form}
      submit={isAhead ? 'Schedule Alert' : 'Alert everyone there'}
      pending="Sending…"
      look="danger"
      onCancel={onBack}
      cancel="Change"
    >
      <AlertPreview alert={alert} />
      <AlertReach area={{ latitude, longitude, radiusMiles: radius_miles }} />
      <p>
        <span>From </span>
        {isAhead && alert.starts_at ? <Time at={alert.starts_at} /> : <span>now</span>}
        <span> until </span>
        {alert.expires_at ? <Time at={alert.expires_at} /> : <span>further notice</span>}
        <span>.</span>
      </p>
    </Form>
  );
}
