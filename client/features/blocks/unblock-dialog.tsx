import type { Contact } from '#shared/friends/document.ts';
import { ConfirmDialog } from '../../platform/ui/dialogs/confirm-dialog.tsx';
import { useContactActions } from '../friends/use-contacts.ts';

/** Asks whether to unblock somebody; closed without anybody. */
export function UnblockDialog({
  person,
  onClose,
}: {
  person: Pick<Contact, 'user_id' | 'name'> | null;
  onClose: () => void;
}) {
  const { unblock } = useContactActions();
  return (
    <ConfirmDialog
      isHarmless
      open={person !== null}
      title="Are you sure you want to unblock this user?"
      description={`${person?.name ?? ''} will be able to send you friend requests again.`}
      yes="Unblock"
      onYes={() => {
        if (person) void unblock(person);
      }}
      onClose={onClose}
    />
  );
}
