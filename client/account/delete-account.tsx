import { useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { deleteAccount, DELETION_WORDS } from '#shared/account/contract.ts';
import { call } from '../api.ts';
import { useTyped } from '../session/sign-in-again.ts';
import { useAuthActions } from '../session/use-auth.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { FormProblem } from '../ui/form-problem.tsx';
import { useProblems } from '../use-problems.ts';

/** Deletes the account, when the words are typed. */
export function DeleteAccount({ onCancel }: { onCancel: () => void }) {
  const { logout } = useAuthActions();
  const navigate = useNavigate();
  const [typed, setTyped] = useTyped('delete-account', '');
  const [deleting, setDeleting] = useState(false);
  const { form, words, isUnanswered, show, showRefusal } = useProblems();
  const isMeant = typed.trim().toLowerCase() === DELETION_WORDS;

  async function run(event: FormEvent) {
    event.preventDefault();
    if (!isMeant) return;
    setDeleting(true);
    show('');
    try {
      await call(deleteAccount, { body: { confirmation: typed } });
    } catch (error) {
      // A lost answer says nothing of whether it was done.
      showRefusal(error, 'We can’t tell whether your account was deleted');
      return setDeleting(false);
    }
    // What this device kept goes as at any logout.
    await logout();
    void navigate('/welcome?account=deleted', { replace: true });
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => void run(event)}
      noValidate
      className="flex flex-col gap-5"
    >
      <ul className="flex list-disc flex-col gap-1.5 pl-5">
        <li>Your profile, dogs, pictures, sounds and settings.</li>
        <li>Your messages, for your friends too.</li>
        <li>Your friends, blocks and meetings; you’ll also disappear from other people’s lists.</li>
        <li>What your other devices store, as soon as they’re online.</li>
      </ul>
      <p>This can’t be undone. If you sign in again, you’ll start over at the gate.</p>
      <Field
        label={`Type “${DELETION_WORDS}”`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <FormProblem words={words} isUnanswered={isUnanswered} />
      <div className="actions">
        <Button look="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" wide disabled={!isMeant} pending={deleting && 'Deleting…'}>
          Delete my account
        </Button>
      </div>
    </form>
  );
}
