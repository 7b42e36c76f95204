import { stars } from '#shared/friendly-index/rules.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Summary } from '../../platform/ui/layout/summary.tsx';
import { IndexState } from './index-state.tsx';
import { IndexSummary, TierSummary } from './index-summary.tsx';
import { dogsWords, ownerComponents } from './labels.ts';
import { ScoreComponents } from './score-components.tsx';
import { useOwnerIndex } from './use-index.ts';

/** An owner's index in a profile, the reader's own or another user's. */
export function PersonIndex({ userId }: { userId: string }) {
  const isOwn = useUser()?.id === userId;
  // How far somebody else is from the next tier is nobody's business.
  const ScoreSummary = isOwn ? IndexSummary : TierSummary;
  const query = useOwnerIndex(userId);
  // A newcomer would only look bad.
  if (!isOwn && (!query.index || stars(query.index.overall_score) === 0)) return null;
  return (
    <section aria-label="Owner friendly index" className="min-h-32 border-t border-line pt-5">
      <IndexState query={query}>
        {(index) => (
          <>
            <ScoreSummary score={index.overall_score} whose="owner" />
            <details className="mt-1">
              <Summary chevron="before">How it’s calculated</Summary>
              <div className="pt-2">
                <ScoreComponents components={ownerComponents(index)} isOwn={isOwn} />
                {isOwn && (
                  <p className="mt-5 border-t border-line pt-4">Dogs: {dogsWords(index)}</p>
                )}
              </div>
            </details>
          </>
        )}
      </IndexState>
    </section>
  );
}
