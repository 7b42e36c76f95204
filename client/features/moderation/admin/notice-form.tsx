import { useState } from 'react';
import { toast } from 'sonner';
import { recordNotice, type AdminWarning } from '#shared/moderation/admin-contract.ts';
import { AUTHORITY_MAX, NOTICE_REFERENCE_MAX } from '#shared/moderation/rules.ts';
import { Form } from '../../../platform/forms/form.tsx';
import { useSubmit } from '../../../platform/forms/use-submit.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { Field } from '../../../platform/ui/inputs/field.tsx';
import { useOpenReport } from '../workspace/open-report.ts';

/** Today in the admin's time zone, such as 2026-11-25. */
const today = () => new Date().toLocaleDateString('en-CA');

/** Records that a moderator notified law enforcement about a termination. */
export function NoticeForm({ warning, onDone }: { warning: AdminWarning; onDone: () => void }) {
  const open = useOpenReport();
  const [draft, setDraft] = useState({ authority: '', reference: '', sent_on: today() });
  const form = useSubmit(async (keyFor) => {
    const body = {
      version: warning.version,
      authority: draft.authority.trim(),
      reference: draft.reference.trim() || null,
      sent_on: draft.sent_on,
    };
    const params = { id: warning.id };
    await call(recordNotice, { params, body, idempotencyKey: keyFor(body) });
    toast.success('Notice recorded');
    void queries.invalidateQueries({ queryKey: ['admin'] });
    onDone();
  });
  const bind = form.bind(draft, (name, value) =>
    setDraft((typed) => ({ ...typed, [name]: value })),
  );
  const { report_id } = warning;
  return (
    <Form form={form} submit="Record notice" pending="Saving…" checks>
      <p className="break-words">
        <span>Send the notice to the authority yourself</span>
        {report_id ? <span>, with the evidence from the report</span> : ''}
        <span>. Then record it here.</span>
      </p>
      {report_id && (
        <Button look="secondary" wide onClick={() => open(report_id)}>
          Open the report and its evidence
        </Button>
      )}
      <Field label="Authority" required maxLength={AUTHORITY_MAX} {...bind('authority')} />
      <Field label="Their file number" maxLength={NOTICE_REFERENCE_MAX} {...bind('reference')} />
      <Field label="Sent on" type="date" required max={today()} {...bind('sent_on')} />
    </Form>
  );
}
