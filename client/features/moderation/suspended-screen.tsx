import type { UserWarning } from '#shared/moderation/contract.ts';
import { LogoutButton } from '../../platform/sign-out/logout-button.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { Logo } from '../../platform/ui/layout/logo.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { DataCard } from '../account/data-card.tsx';
import { SANCTIONS } from './sanction-text.ts';
import { Sanction } from './sanction.tsx';

/** The only screen of a suspended user: the reason, the end, an appeal, and their data. */
export default function SuspendedScreen({
  suspension,
  userId,
}: {
  suspension: UserWarning;
  userId: string;
}) {
  const { title } = SANCTIONS[suspension.warning_type];
  return (
    <Screen
      title={title}
      className="mx-auto flex min-h-dvh w-full max-w-xl flex-col gap-4 px-4 py-6 sm:px-6"
    >
      <div className="flex items-center justify-between gap-3">
        <Logo to="/" />
        <LogoutButton className="-mr-4" />
      </div>
      <h1 tabIndex={-1} className="text-2xl font-bold tracking-tight">
        {title}
      </h1>
      <Card title="Why">
        <Sanction warning={suspension} userId={userId} />
      </Card>
      <DataCard />
    </Screen>
  );
}
