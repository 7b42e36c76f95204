import { Download, LogOut } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { toast } from 'sonner';
import { saveFile } from '../export-data.ts';
import { useAction } from '../forms/use-action.ts';
import { useAuthActions } from '../session/use-auth.tsx';
import { useDocuments, useSyncState } from '../sync/documents/use-document.ts';
import { useUnsent } from '../sync/outbox/use-outbox.ts';
import { isAllRead, unsavedWords } from '../sync/state/sync-status-text.ts';
import { Button } from '../ui/buttons/button.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { Checkbox } from '../ui/inputs/checkbox.tsx';
import { useOnlyHere } from './use-only-here.ts';

/** How long a logout waits for what is stored on this device to be read, before it asks. */
const READ_WITHIN_MS = 3_000;

/** Logs out and removes local data; asks first if some of it is only on this device. */
export function LogoutButton({
  className,
  isCompact = false,
}: {
  className?: string;
  /** Shows its icon alone on a phone. */
  isCompact?: boolean;
}) {
  const { logout } = useAuthActions();
  const documents = useDocuments();
  const sync = useSyncState();
  const waiting = useUnsent();
  const shown = useOnlyHere();
  const onlyHere = shown === 'unread' ? null : shown;
  const all = { ...waiting, isUnread: waiting.isUnread || shown === 'unread' };
  const isRead = isAllRead(sync, all);
  const unsent = unsavedWords(sync, all);
  const [asking, setAsking] = useState(false);
  /** Whether it was pressed before it was known what is only on this device. */
  const [isReading, setReading] = useState(false);
  const [isCheckingTabs, setCheckingTabs] = useState(false);
  const isSafe = !unsent && !onlyHere;
  const [isKeeping, setKeeping] = useState(false);
  const [exportAll, exporting] = useAction(
    async ({ file }: { file: () => Promise<File | null> }) => {
      const made = await file();
      if (made) saveFile(made);
    },
  );
  async function leave() {
    try {
      if (isKeeping) await onlyHere?.keep();
    } catch (error) {
      console.error('Failed to keep what is only here', error);
      return void toast.error('This browser can’t keep them. Export them instead.');
    }
    await logout();
  }
  async function press() {
    setReading(true);
    setCheckingTabs(true);
    // Another tab may have been closed before it sent all.
    const late = new Promise((resolve) => setTimeout(resolve, READ_WITHIN_MS));
    await Promise.race([documents?.readJournal(), late]);
    setCheckingTabs(false);
  }
  const decide = useEffectEvent(() => {
    setReading(false);
    if (isSafe) void logout();
    else setAsking(true);
  });
  useEffect(() => {
    if (!isReading || isCheckingTabs) return;
    const timer = setTimeout(decide, isRead ? 0 : READ_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [isReading, isCheckingTabs, isRead]);
  return (
    <>
      <Button
        look="quiet"
        className={className}
        onClick={() => void press()}
        pending={isReading && 'Checking…'}
        Icon={LogOut}
      >
        <span className={isCompact ? 'max-sm:sr-only' : ''}>Logout</span>
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
        no="Stay"
        onYes={() => void leave()}
        onClose={() => setAsking(false)}
      >
        {onlyHere && (
          <div className="mb-3 flex flex-col gap-2">
            <Button
              look="secondary"
              wide
              Icon={Download}
              pending={exporting && 'Exporting…'}
              onClick={() => void exportAll(onlyHere)}
            >
              Export
            </Button>
            <Checkbox
              label="Keep them on this device"
              hint="For your next sign-in here. Not on a shared device: they say where you walked."
              checked={isKeeping}
              onChange={setKeeping}
            />
          </div>
        )}
      </ConfirmDialog>
    </>
  );
}
