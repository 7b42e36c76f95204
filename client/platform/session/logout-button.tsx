import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { waitingWords } from '../sync/status/sync-status-text.ts';
import { useSyncState } from '../sync/documents/use-document.ts';
import { useUnsent } from '../sync/outbox/use-outbox.ts';
import { Button } from '../ui/buttons/button.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { formatWalks } from '../../features/walks/format.ts';
import { useWalks } from '../../features/walks/use-walks.ts';
import { isWorthStoring } from '../../features/walks/walk.ts';
import { useAuthActions } from './use-auth.tsx';

/** Logs out and removes local data; asks first if some of it is only on this device. */
export function LogoutButton({
  className,
  labelClassName,
}: {
  className?: string;
  /** Of its label, to hide it where only the icon fits. */
  labelClassName?: string;
}) {
  const { logout } = useAuthActions();
  const unsent = waitingWords(useSyncState(), useUnsent());
  const walks = useWalks()?.filter((walk) => isWorthStoring(walk, true)).length ?? 0;
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        look="quiet"
        className={className}
        onClick={() => (unsent || walks > 0 ? setAsking(true) : void logout())}
        Icon={LogOut}
      >
        <span className={labelClassName}>Logout</span>
      </Button>
      <ConfirmDialog
        open={asking}
        title={unsent ? 'Log out and lose changes?' : 'Log out and delete your walks?'}
        description={[
          unsent &&
            `Not saved on our server yet: ${unsent}. If you log out now, these changes will be lost.`,
          walks > 0 &&
            `${formatWalks(walks)} will be deleted, because walks are stored on this device only. Export them first to keep them.`,
        ]
          .filter(Boolean)
          .join(' ')}
        yes="Log out"
        isDestructive
        no="Stay"
        onYes={() => void logout()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
