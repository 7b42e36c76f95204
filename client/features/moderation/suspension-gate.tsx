import type { ReactNode } from 'react';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { Waiting } from '../../platform/ui/feedback/waiting.tsx';
import { useWarningDialog } from './sanction-notice.tsx';
import { useAccountStatus, useAccountStatusUpdates } from './use-account-status.ts';

const SuspendedScreen = lazyComponent(
  () => import('./suspended-screen.tsx'),
  () => <Waiting />,
);
const WarningModal = lazyComponent(() => import('./warning-modal.tsx'));

/** Shows the app, or the suspension screen to suspended users. */
export function SuspensionGate({ children }: { children: ReactNode }) {
  const { suspension, userId } = useAccountStatus();
  const { isOpen, close } = useWarningDialog();
  useAccountStatusUpdates();
  if (suspension) return <SuspendedScreen suspension={suspension} userId={userId} />;
  return (
    <>
      {children}
      {isOpen && <WarningModal onClose={close} />}
    </>
  );
}
