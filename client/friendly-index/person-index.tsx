import { ChevronDown } from 'lucide-react';
import { useUser } from '../session/use-auth.tsx';
import { IndexParts } from './index-parts.tsx';
import { IndexState } from './index-state.tsx';
import { IndexSummary } from './index-summary.tsx';
import { useOwnerIndex } from './use-index.ts';
import { ownerParts } from './labels.ts';

/** An owner's index in their profile, one's own or somebody else's. */
export function PersonIndex({ userId }: { userId: string }) {
  const isOwn = useUser()?.id === userId;
  return (
    <section aria-label="Owner friendly index" className="min-h-43 border-t border-line pt-5">
      <IndexState query={useOwnerIndex(userId)}>
        {(index) => (
          <>
            <IndexSummary score={index.overall_score} whose="owner" />
            <details className="group mt-1">
              <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 font-bold text-accent">
                <ChevronDown
                  aria-hidden
                  className="size-5 shrink-0 transition-transform group-open:rotate-180 motion-reduce:transition-none"
                />
                What it is made of
              </summary>
              <div className="pt-2">
                <IndexParts parts={ownerParts(index)} isOwn={isOwn} />
              </div>
            </details>
          </>
        )}
      </IndexState>
    </section>
  );
}
