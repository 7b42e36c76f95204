import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { waitingWords } from '../sync/status/sync-status-text.ts';
import { useSyncState } from '../sync/documents/use-document.ts';
import { useUnsent } from '../sync/outbox/use-outbox.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useAuthActions } from './use-auth.tsx';

/** Logs out and removes local data; asks first if some of it hasn't been sent yet. */
export function LogoutButton({ className }: { className?: string }) {
  const { logout } = useAuthActions();
  const unsent = waitingWords(useSyncState(), useUnsent());
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        look="quiet"
        className={className}
        onClick={() => (unsent ? setAsking(true) : void logout())}
        Icon={LogOut}
      >
        Logout
      </Button>
      <ConfirmDialog
        open={asking}
        title="Log out and lose changes?"
        description={`Not saved on our server yet: ${unsent}. If you log out now, these changes will be lost.`}
        yes="Log out"
        no="Stay"
        onYes={() => void logout()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
