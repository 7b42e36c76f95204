import { ListChecks } from 'lucide-react';
import { useUser } from '../../platform/session/use-auth.tsx';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { IndexState } from './index-state.tsx';
import { IndexSummary } from './index-summary.tsx';
import { useOwnerIndex } from './use-index.ts';

/** The owner's own index. */
export function OwnerIndexCard() {
  const user = useUser();
  const query = useOwnerIndex(user?.id ?? '');
  return (
    <Card title="Owner Friendly Index">
      <div className="min-h-27">
        <IndexState query={query}>
          {({ overall_score }) => <IndexSummary score={overall_score} whose="owner" />}
        </IndexState>
      </div>
      <ButtonLink look="secondary" wide className="mt-4" to="?open=index" Icon={ListChecks}>
        Why this score
      </ButtonLink>
    </Card>
  );
}
