import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { waitingWords } from '../sync/status/sync-status-text.ts';
import { useSyncState } from '../sync/documents/use-document.ts';
import { useUnsent } from '../sync/outbox/use-outbox.ts';
import { Button } from '../ui/buttons/button.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { useAuthActions } from './use-auth.tsx';
import { useOnlyHere } from './use-only-here.ts';

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
  const onlyHere = useOnlyHere();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        look="quiet"
        className={className}
        onClick={() => (unsent || onlyHere ? setAsking(true) : void logout())}
        Icon={LogOut}
      >
        <span className={labelClassName}>Logout</span>
      </Button>
      <ConfirmDialog
        open={asking}
        title={(!unsent && onlyHere?.title) || 'Log out and lose changes?'}
        description={[
          unsent &&
            `Not saved on our server yet: ${unsent}. If you log out now, these changes will be lost.`,
          onlyHere?.sentence,
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
