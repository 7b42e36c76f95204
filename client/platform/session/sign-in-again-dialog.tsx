import { useState } from 'react';
import { Button } from '../ui/buttons/button.tsx';
import { Modal } from '../ui/dialogs/modal.tsx';
import { ErrorBanner } from '../ui/feedback/error-banner.tsx';
import { rememberPlace } from './sign-in-again.ts';
import { useAuthActions, useUser } from './use-auth.tsx';

/** Asks to sign in again, and remembers the current screen. */
export default function SignInAgainDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal
      open
      onClose={onClose}
      title="Sign in again"
      description="To continue, confirm that it’s really you. You’ll come right back here."
    >
      <SignInAgain onCancel={onClose} />
    </Modal>
  );
}

function SignInAgain({ onCancel }: { onCancel: () => void }) {
  const user = useUser();
  const { redirectToLogin } = useAuthActions();
  const [leaving, setLeaving] = useState(false);
  const [failed, setFailed] = useState(false);

  async function leave() {
    if (!user) return;
    setLeaving(true);
    setFailed(false);
    rememberPlace(user.id, location.pathname + location.search);
    try {
      await redirectToLogin(user.email, true);
    } catch {
      setFailed(true);
      setLeaving(false);
    }
  }

  return (
    <div className="flex flex-col gap-4">
      {failed && (
        <ErrorBanner title="We can’t reach the sign-in service">
          Check your connection and try again in a moment.
        </ErrorBanner>
      )}
      <div className="actions">
        <Button look="secondary" wide onClick={onCancel}>
          Cancel
        </Button>
        <Button wide pending={leaving && 'Taking you to sign-in…'} onClick={() => void leave()}>
          Sign in again
        </Button>
      </div>
    </div>
  );
}
