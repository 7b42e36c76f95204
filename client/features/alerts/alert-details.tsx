import type { ReactNode } from 'react';
import type { AdminAlert } from '#shared/alerts/admin-contract.ts';
import { typeWord } from './alert-type-labels.ts';
import { SEVERITY_WORDS } from './severity.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';

/** Everything about an alert, as admins have it. */
export function AlertDetails({ alert }: { alert: AdminAlert }) {
  return (
    <dl className="flex flex-col gap-3">
      <Detail name="Type">{typeWord(alert.alert_type)}</Detail>
      <Detail name="Severity">{SEVERITY_WORDS[alert.severity]}</Detail>
      <Detail name="Description">{alert.description}</Detail>
      {alert.instructions && <Detail name="Instructions">{alert.instructions}</Detail>}
      <Detail name="Affected area">
        {alert.radius_miles} miles around {alert.affected_latitude.toFixed(4)},{' '}
        {alert.affected_longitude.toFixed(4)}
      </Detail>
      <Detail name="Starts">
        <Time at={alert.starts_at} />
      </Detail>
      <Detail name="Ends">
        {alert.expires_at ? <Time at={alert.expires_at} /> : 'Until further notice'}
      </Detail>
      <Detail name="Alert ID">{alert.alert_id}</Detail>
    </dl>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="break-words whitespace-pre-line">{children}</dd>
    </div>
  );
}
