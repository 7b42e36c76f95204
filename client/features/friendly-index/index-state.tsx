import { CircleAlert, CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { ageWords } from '../../platform/duration-words.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { useNow } from '../../platform/use-now.ts';
import type { IndexQuery } from './use-index.ts';

/** Shows an index, or a placeholder while it loads, or why it's unavailable. An outdated index shows its age. */
export function IndexState<A>({
  query: { index, receivedAt, isError, isPaused, isFetching, retry },
  children,
}: {
  query: IndexQuery<A>;
  children: (index: A) => ReactNode;
}) {
  const now = useNow();
  if (index === null) {
    if (isPaused || isError)
      return (
        <div role="alert" className="flex min-h-18 flex-col items-start gap-1">
          <p className="flex items-center gap-2 font-bold">
            {isPaused ? (
              <CloudOff aria-hidden className="size-5 shrink-0" />
            ) : (
              <CircleAlert aria-hidden className="size-5 shrink-0 text-poor" />
            )}
            Friendly index unavailable
          </p>
          <p className="text-soft">
            {isPaused ? 'You’re offline. Connect once to load it.' : 'Your walks still count.'}
          </p>
          {!isPaused && (
            <Button
              look="secondary"
              className="mt-2"
              pending={isFetching && 'Trying…'}
              onClick={retry}
            >
              Try again
            </Button>
          )}
        </div>
      );
    return (
      <div role="status" aria-label="Loading friendly index…" className="flex h-18 flex-col gap-2">
        <div aria-hidden className="h-8 rounded-control bg-sunken" />
        <div aria-hidden className="h-8 rounded-control bg-sunken" />
      </div>
    );
  }
  return (
    <>
      {children(index)}
      {(isPaused || isError) && (
        <p role="status" className="mt-3 flex items-center gap-2 text-sm text-soft">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          Last updated {receivedAt > 0 ? ageWords(now - receivedAt) : 'some time ago'}
        </p>
      )}
    </>
  );
}
