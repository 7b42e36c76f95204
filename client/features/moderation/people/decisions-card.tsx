import { Button } from '../../../platform/ui/buttons/button.tsx';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { useWarningDialog } from '../sanction-notice.tsx';
import { useAccountStatus } from '../use-account-status.ts';

/** Reopens acknowledged decisions of moderators; renders nothing without any. */
export function DecisionsCard() {
  const { warnings } = useAccountStatus();
  const { open } = useWarningDialog();
  if (warnings.length === 0) return null;
  return (
    <Card title="From our moderators">
      <p className="text-soft">Decisions about you, your appeals, and their answers.</p>
      <Button look="secondary" onClick={open}>
        Review decisions
      </Button>
    </Card>
  );
}
