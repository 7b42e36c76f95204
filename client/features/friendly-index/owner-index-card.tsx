import { useUser } from '../../platform/session/use-auth.tsx';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { IndexState } from './index-state.tsx';
import { IndexSummary } from './index-summary.tsx';
import { useOwnerIndex } from './use-index.ts';

/** The owner's own index, in a few lines. @param isBrief whether it is a line only until someone was met */
export function OwnerIndexCard({ isBrief = false }: { isBrief?: boolean }) {
  const user = useUser();
  const query = useOwnerIndex(user?.id ?? '');
  return (
    <Card
      title="Owner Friendly Index"
      action={
        <ButtonLink look="quiet" className="-mr-2 px-2! text-sm" to="?open=index">
          Why this score
        </ButtonLink>
      }
    >
      <div className="min-h-18">
        <IndexState query={query}>
          {({ overall_score, total_encounters }) => (
            <IndexSummary
              score={overall_score}
              whose="owner"
              isNew={isBrief && total_encounters === 0}
            />
          )}
        </IndexState>
      </div>
    </Card>
  );
}
