import { Suspense, type ReactNode } from 'react';
import { lazyPart } from '../lazy/lazy-component.ts';
import { Waiting } from '../ui/loading.tsx';
import { useWarningDialog } from './sanction-notice.tsx';
import { useStanding, useStandingNews } from './use-account-status.ts';

const SuspendedScreen = lazyPart(() => import('./suspended-screen.tsx'));
const WarningModal = lazyPart(() => import('./warning-modal.tsx'));

/** Shows the app to whoever may use it, and to whoever is suspended why. */
export function StandingFrame({ children }: { children: ReactNode }) {
  const { suspension, userId } = useStanding();
  const { isOpen, close } = useWarningDialog();
  useStandingNews();
  if (suspension)
    return (
      <Suspense fallback={<Waiting />}>
        <SuspendedScreen suspension={suspension} userId={userId} />
      </Suspense>
    );
  return (
    <>
      {children}
      <Suspense>{isOpen && <WarningModal onClose={close} />}</Suspense>
    </>
  );
}
