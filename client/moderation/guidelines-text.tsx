import { listGuidelines, type Guideline } from '#shared/moderation/contract.ts';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { GuidelinesState } from './use-guidelines.ts';

/** The community safety guidelines, or why they can't be shown. */
export function GuidelinesText({
  guidelines,
  state,
}: {
  guidelines: readonly Guideline[];
  state: GuidelinesState;
}) {
  if (state === 'loading') return <Skeleton label="Loading guidelines…" lines={5} />;
  if (state === 'offline')
    return (
      <p>
        You’re offline. Connect once to load the guidelines; after that, they’re available offline.
      </p>
    );
  if (state === 'failed') return <ErrorBanner>{listGuidelines.failure}</ErrorBanner>;
  return (
    <ol className="flex flex-col gap-6">
      {guidelines.map(({ id, title, description, examples, consequences }) => (
        <li key={id} className="flex flex-col gap-2">
          <h3 className="text-lg font-bold">{title}</h3>
          <p>{description}</p>
          {examples.length > 0 && (
            <ul className="flex list-disc flex-col gap-1 pl-5 text-soft">
              {examples.map((example) => (
                <li key={example}>{example}</li>
              ))}
            </ul>
          )}
          <p className="border-l-4 border-line-strong pl-3 text-sm text-soft">{consequences}</p>
        </li>
      ))}
    </ol>
  );
}
