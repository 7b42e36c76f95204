import type { ReactNode } from 'react';
import type { AdminAlert } from '#shared/alerts/admin-contract.ts';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';
import { typeWord } from './alert-type-labels.ts';
import { SEVERITY_WORDS } from './severity.tsx';

const PinMap = lazyComponent(
  () => import('../../platform/map/pin-map.tsx'),
  () => <Skeleton label="Loading map…" lines={5} />,
);

type Area = Pick<AdminAlert, 'affected_latitude' | 'affected_longitude' | 'radius_miles'>;

export const pointWords = ({ affected_latitude, affected_longitude }: Area): string =>
  `${affected_latitude.toFixed(4)}, ${affected_longitude.toFixed(4)}`;

/** '1 mile', '2.5 miles' */
export const radiusWords = ({ radius_miles }: Area): string =>
  `${radius_miles} ${radius_miles === 1 ? 'mile' : 'miles'}`;

/** Everything about an alert, as admins have it. */
export function AlertDetails({ alert }: { alert: AdminAlert }) {
  return (
    <dl className="flex flex-col gap-3">
      <Detail name="Type">{typeWord(alert.alert_type)}</Detail>
      <Detail name="Severity">{SEVERITY_WORDS[alert.severity]}</Detail>
      <Detail name="Description">{alert.description}</Detail>
      {alert.instructions && <Detail name="Instructions">{alert.instructions}</Detail>}
      <Detail name="Affected area">
        <span className="block">{`${radiusWords(alert)} around ${alert.near ?? pointWords(alert)}`}</span>
        <div className="mt-2">
          <PinMap
            pin={{ latitude: alert.affected_latitude, longitude: alert.affected_longitude }}
            radiusMiles={alert.radius_miles}
            label="The middle of the affected area"
            onMove={null}
          />
        </div>
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
