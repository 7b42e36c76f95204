import { useNavigate } from 'react-router-dom';
import { deleteAccount, DELETION_WORDS } from '#shared/account/contract.ts';
import { Form } from '../../platform/forms/form.tsx';
import { InvalidForm, useSubmit } from '../../platform/forms/use-submit.ts';
import { call } from '../../platform/http/api.ts';
import { useTyped } from '../../platform/session/sign-in-again.ts';
import { useAuthActions } from '../../platform/session/use-auth.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';

/** Asks whether to delete the account. */
export function DeleteAccountDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Modal
      open={open}
      onClose={onClose}
      title="Delete your account?"
      description="This immediately and permanently deletes:"
    >
      <DeleteAccount onCancel={onClose} />
    </Modal>
  );
}

/** Deletes the account after the confirmation text was typed. */
function DeleteAccount({ onCancel }: { onCancel: () => void }) {
  const { logout } = useAuthActions();
  const navigate = useNavigate();
  const [typed, setTyped] = useTyped('delete-account', '');
  const isMeant = typed.trim().toLowerCase() === DELETION_WORDS;

  const form = useSubmit(
    async () => {
      if (!isMeant) throw new InvalidForm({});
      await call(deleteAccount, { body: { confirmation: typed } });
      // Local data is removed as at any logout.
      await logout();
      void navigate('/welcome?account=deleted', { replace: true });
    },
    // Without an answer, the account may or may not have been deleted.
    { failure: 'We can’t tell whether your account was deleted' },
  );

  return (
    <Form
      form={form}
      submit="Delete my account"
      look="danger"
      pending="Deleting…"
      disabled={!isMeant}
      onCancel={onCancel}
      className="gap-5"
    >
      <ul className="flex list-disc flex-col gap-1.5 pl-5">
        <li>Your profile, dogs, photos, sounds and settings.</li>
        <li>Your messages (also removed for your friends).</li>
        <li>
          Your friends, blocks and encounters; you’ll also disappear from other people’s lists.
        </li>
        <li>Your walks on this device.</li>
        <li>Data on your other devices, as soon as they’re online.</li>
      </ul>
      <p>This can’t be undone. If you sign in again, you’ll start over and need an access code.</p>
      <Field
        label={`Type “${DELETION_WORDS}”`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </Form>
  );
}
