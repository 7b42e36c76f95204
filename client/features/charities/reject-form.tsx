import { useState } from 'react';
import { toast } from 'sonner';
import { rejectCharity, type AdminCharity } from '#shared/charities/admin-contract.ts';
import { REJECTION_MAX } from '#shared/charities/rules.ts';
import { Form } from '../../platform/forms/form.tsx';
import { useSubmit } from '../../platform/forms/use-submit.ts';
import { call } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import { MessageField } from '../../platform/ui/inputs/message-field.tsx';

/** Rejects a charity, with the reason that an applicant reads. */
export function RejectForm({ charity, onDone }: { charity: AdminCharity; onDone: () => void }) {
  const [reason, setReason] = useState('');
  const form = useSubmit(async (keyFor) => {
    const body = { reason: reason.trim(), version: charity.version };
    const params = { id: charity.id };
    await call(rejectCharity, { params, body, idempotencyKey: keyFor(params, body) });
    toast.success(`${charity.charity_name} is rejected`);
    void queries.invalidateQueries({ queryKey: ['admin'] });
    onDone();
  });
  return (
    <Form form={form} submit="Reject" pending="Rejecting…" look="danger" onCancel={onDone} checks>
      <p className="break-words">
        <b>{charity.charity_name}</b>
        <span>
          {charity.source === 'application' && charity.contact_email
            ? ` isn’t shown. We email the reason to ${charity.contact_email}.`
            : ' isn’t shown. It’s a suggestion, so nobody gets an email.'}
        </span>
      </p>
      <MessageField
        label="Reason"
        value={reason}
        onChange={setReason}
        max={REJECTION_MAX}
        required
      />
    </Form>
  );
}
