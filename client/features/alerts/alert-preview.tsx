import { useQuery } from '@tanstack/react-query';
import { getAlertReach } from '#shared/alerts/admin-contract.ts';
import type { Severity } from '#shared/alerts/contract.ts';
import { numberWords } from '../../platform/admin/format.ts';
import { call } from '../../platform/http/api.ts';
import { SEVERITY_LOOKS, SEVERITY_WORDS } from './severity.tsx';

/** An alert as people see it. */
export function AlertPreview({
  alert: { severity, title, description, instructions },
}: {
  alert: {
    severity: Severity;
    title: string;
    description: string;
    instructions?: string | null | undefined;
  };
}) {
  const { Icon, iconLook } = SEVERITY_LOOKS[severity];
  return (
    <section
      aria-label="Preview"
      className="flex flex-col gap-2 rounded-card border border-line bg-sunken p-4"
    >
      <p className="flex items-center gap-2 font-bold">
        <Icon aria-hidden className={`size-5 shrink-0 ${iconLook}`} />
        {SEVERITY_WORDS[severity]}
      </p>
      <h3 className="text-lg font-bold break-words">{title}</h3>
      <p className="break-words whitespace-pre-line">{description}</p>
      {instructions && <p className="break-words whitespace-pre-line">{instructions}</p>}
    </section>
  );
}

/** How many people an alert would reach. @param area null until it is chosen */
export function AlertReach({
  area,
}: {
  area: { latitude: number; longitude: number; radiusMiles: number } | null;
}) {
  const query = {
    latitude: String(area?.latitude),
    longitude: String(area?.longitude),
    radius_miles: String(area?.radiusMiles),
  };
  const { data, error } = useQuery({
    queryKey: ['admin', 'alert-reach', query],
    queryFn: () => call(getAlertReach, { query }),
    enabled: area !== null,
    staleTime: 0,
  });
  return (
    <p role="status">
      {area === null ? (
        <span>Choose the area to see how many people it reaches.</span>
      ) : error ? (
        <span>{getAlertReach.failure}</span>
      ) : !data ? (
        <span>Counting the people in the area…</span>
      ) : data.people === 0 ? (
        <span>Fewer than 10 people share their location in the area now.</span>
      ) : (
        <span>
          <b>{`About ${numberWords(data.people)} people`}</b> share their location in the area or a
          few miles around it now.
        </span>
      )}{' '}
      {area && <span>Whoever comes into the area while it holds sees it, too.</span>}
    </p>
  );
}
