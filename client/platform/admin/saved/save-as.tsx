import { useState } from 'react';
import { SAVED_NAME_MAX } from '#shared/admin/rules.ts';
import { Form } from '../../forms/form.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Modal } from '../../ui/dialogs/modal.tsx';
import { Field } from '../../ui/inputs/field.tsx';

/** A button that asks for a name to save under. */
export function SaveAs({
  label,
  hint,
  suggested = '',
  store,
}: {
  label: string;
  /** Below the name. */
  hint: string;
  suggested?: string;
  /** @throws CallError */
  store: (name: string) => Promise<void>;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" className="min-h-11! px-2!" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal open={isOpen} onClose={() => setOpen(false)} title={label}>
        <NameForm
          hint={hint}
          suggested={suggested}
          store={async (name) => {
            await store(name);
            setOpen(false);
          }}
        />
      </Modal>
    </>
  );
}

function NameForm({
  hint,
  suggested,
  store,
}: {
  hint: string;
  suggested: string;
  store: (name: string) => Promise<void>;
}) {
  const [name, setName] = useState(suggested);
  const form = useSubmit(() => store(name.trim()));
  return (
    <Form form={form} submit="Save" checks>
      <Field
        label="Name"
        hint={hint}
        name="name"
        value={name}
        onChange={({ target }) => setName(target.value)}
        maxLength={SAVED_NAME_MAX}
        error={form.fields['name']}
        required
      />
    </Form>
  );
}
