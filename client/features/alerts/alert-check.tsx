import { useQuery } from '@tanstack/react-query';
import { toast } from 'sonner';
import type { z } from 'zod';
import { createAlert, getAlertReach } from '#shared/alerts/admin-contract.ts';
import { numberWords } from '../../platform/admin/format.ts';
import { Form } from '../../platform/forms/form.tsx';
import { useSubmit } from '../../platform/forms/use-submit.ts';
import { call } from '../../platform/http/api.ts';
import { Time } from '../../platform/ui/layout/time.tsx';
import { useNow } from '../../platform/use-now.ts';
import { SEVERITY_LOOKS, SEVERITY_WORDS } from './severity.tsx';

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
  const query = {
    latitude: String(latitude),
    longitude: String(longitude),
    radius_miles: String(radius_miles),
  };
  const { data, error } = useQuery({
    queryKey: ['admin', 'alert-reach', query],
    queryFn: () => call(getAlertReach, { query }),
    staleTime: 0,
  });
  const now = useNow();
  const isAhead = alert.starts_at && Date.parse(alert.starts_at) > now;
  const form = useSubmit(async (keyFor) => {
    const { alert: created } = await call(createAlert, { body, idempotencyKey: keyFor(body) });
    const isScheduled = Date.parse(created.starts_at) > Date.now();
    toast(`“${created.title}” is ${isScheduled ? 'scheduled' : 'active'}`);
    onDone();
  });
  const { Icon, iconLook } = SEVERITY_LOOKS[alert.severity];
  return (
    <Form
      form={form}
      submit={isAhead ? 'Schedule Alert' : 'Alert everyone there'}
      pending="Sending…"
      look="danger"
      onCancel={onBack}
      cancel="Change"
    >
      <section
        aria-label="Preview"
        className="flex flex-col gap-2 rounded-card border border-line bg-sunken p-4"
      >
        <p className="flex items-center gap-2 font-bold">
          <Icon aria-hidden className={`size-5 shrink-0 ${iconLook}`} />
          {SEVERITY_WORDS[alert.severity]}
        </p>
        <h3 className="text-lg font-bold break-words">{alert.title}</h3>
        <p className="break-words whitespace-pre-line">{alert.description}</p>
        {alert.instructions && (
          <p className="break-words whitespace-pre-line">{alert.instructions}</p>
        )}
      </section>
      <p role="status">
        {error ? (
          <span>{getAlertReach.failure}</span>
        ) : !data ? (
          <span>Counting the people in the area…</span>
        ) : data.people === 0 ? (
          <span>Fewer than 10 people share their location in the area now.</span>
        ) : (
          <span>
            <b>{`About ${numberWords(data.people)} people`}</b> share their location in the area or
            a few miles around it now.
          </span>
        )}{' '}
        <span>Whoever comes into the area while it holds sees it, too.</span>
      </p>
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
