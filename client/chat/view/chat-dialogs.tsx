import { Suspense } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Contact } from '#shared/friends/document.ts';
import { BlockForm } from '../../blocks/block-form.tsx';
import { useContactActions } from '../../friends/use-contacts.ts';
import { lazyComponent } from '../../lazy/lazy-component.ts';
import { Modal } from '../../ui/modal.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

const GuidelinesModal = lazyComponent(() => import('../../moderation/guidelines-modal.tsx'));

/** What is open over a chat. */
export function ChatDialogs({
  open,
  friend,
  onClose,
}: {
  open: string | null;
  friend: Contact;
  onClose: () => Promise<void>;
}) {
  const { removeFriend } = useContactActions();
  const navigate = useNavigate();
  // Over nothing: an address with a dialog would be what back leads to from there.
  const leave = () => onClose().then(() => navigate('/social', { replace: true }));
  return (
    <>
      <ConfirmDialog
        open={open === 'remove'}
        title="Are you sure you want to remove this friend?"
        description={`${friend.name} won’t be notified. You’ll no longer be able to message each other.`}
        yes="Remove"
        onYes={() => {
          void removeFriend(friend).then((isKept) => (isKept ? leave() : undefined));
        }}
        onClose={onClose}
      />
      <Modal open={open === 'block'} onClose={onClose} title="Block User">
        <BlockForm person={friend} onCancel={onClose} onDone={() => void leave()} />
      </Modal>
      <Suspense>{open === 'guidelines' && <GuidelinesModal onClose={onClose} />}</Suspense>
    </>
  );
}
