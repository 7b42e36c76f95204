import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '#shared/dates.ts';
import { listCodeUses } from '#shared/access-gate/admin-contract.ts';
import { call } from '../http/api.ts';
import { RetryBanner } from '../ui/retry-banner.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** Uses of a code, latest first. */
export function CodeUses({ id }: { id: string }) {
  const asked = useQuery({
    queryKey: ['admin', 'access-code-uses', id],
    queryFn: () => call(listCodeUses, { params: { id } }),
    staleTime: 0,
  });
  const uses = asked.data?.uses;
  return (
    <section aria-labelledby="code-uses" className="flex flex-col gap-1.5">
      <h3 id="code-uses" className="font-bold">
        Uses
      </h3>
      {asked.error && <RetryBanner title={listCodeUses.failure} asked={asked} />}
      {!uses && !asked.error && <Skeleton label="Loading uses…" lines={1} />}
      {uses?.length === 0 && <p className="text-soft">No one has used it yet.</p>}
      {uses && uses.length > 0 && (
        <ul
          aria-labelledby="code-uses"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
          tabIndex={0}
          className="max-h-56 divide-y divide-line overflow-y-auto rounded-control border border-line px-3"
        >
          {uses.map((use) => (
            <li key={use.id} className="flex flex-wrap justify-between gap-x-4 py-2">
              <span className="min-w-0 break-words">{use.user_name ?? 'Unknown user'}</span>
              <span className="text-soft tabular-nums">{formatDateTime(use.used_at)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
