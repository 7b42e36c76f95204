import { ErrorBanner } from './error-banner.tsx';

/**
 * A placeholder for loading lines, as tall as they will be.
 * @param asked the query whose answer is awaited, if it is one: while it waits for a connection, words say so
 */
export function Skeleton({
  label,
  lines = 3,
  asked,
}: {
  label: string;
  lines?: number;
  asked?: { fetchStatus: 'fetching' | 'paused' | 'idle' };
}) {
  if (asked?.fetchStatus === 'paused')
    return (
      <ErrorBanner look="offline" title="You’re offline">
        This will load when you’re back online.
      </ErrorBanner>
    );
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-3">
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} aria-hidden className="h-12 rounded-control bg-sunken" />
      ))}
    </div>
  );
}
