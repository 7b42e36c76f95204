import { useState } from 'react';
import { toast } from 'sonner';
import { issueWarning } from '#shared/moderation/admin-contract.ts';
import { toastError } from '../../../platform/admin/toast-error.ts';
import { Form } from '../../../platform/forms/form.tsx';
import { InvalidForm, useSubmit } from '../../../platform/forms/use-submit.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { SanctionFields, sanctionOf, noSanction } from './sanction-fields.tsx';

/** Issues a sanction without a report. */
export function IssueForm({ userId, onDone }: { userId: string; onDone: () => void }) {
  return (
    <SanctionForm
      issue={(sanction, keyFor) => {
        const body = { user_id: userId, ...sanction };
        return call(issueWarning, { body, idempotencyKey: keyFor(body) });
      }}
      onDone={onDone}
    />
  );
}

/** A form for a sanction. @param issue sends it; `keyFor` gives the same key for a repeat of the same body */
export function SanctionForm({
  issue,
  onDone,
}: {
  issue: (
    sanction: NonNullable<ReturnType<typeof sanctionOf>>,
    keyFor: (body: unknown) => string,
  ) => Promise<unknown>;
  onDone: () => void;
}) {
  const [draft, setDraft] = useState(() => noSanction('warning'));
  const form = useSubmit(
    async (keyFor) => {
      const sanction = sanctionOf(draft);
      if (!sanction) throw new InvalidForm({});
      await issue(sanction, keyFor);
      toast.success('The user was notified');
      void queries.invalidateQueries({ queryKey: ['admin'] });
      onDone();
    },
    { onError: toastError },
  );

  return (
    <Form form={form} submit="Issue sanction" pending="Sending…" checks>
      <SanctionFields draft={draft} onChange={setDraft} />
    </Form>
  );
}
