import { useState } from 'react';
import { toast } from 'sonner';
import { EDITED_MEANWHILE, EDITED_TEXT } from '#shared/admin/paging.ts';
import {
  decideReport,
  type AdminReport,
  type AdminWarning,
  type ContentAct,
} from '#shared/moderation/admin-contract.ts';
import { NOTES_MAX, nextSanction, type Gravity } from '#shared/moderation/rules.ts';
import { call } from '../../../platform/http/api.ts';
import { CallError } from '../../../platform/http/api-client.ts';
import { Form } from '../../../platform/forms/form.tsx';
import { useSubmit } from '../../../platform/forms/use-submit.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { ErrorBanner } from '../../../platform/ui/feedback/error-banner.tsx';
import { MessageField } from '../../../platform/ui/inputs/message-field.tsx';
import { SelectField } from '../../../platform/ui/inputs/select-field.tsx';
import { Checkbox } from '../../../platform/ui/inputs/checkbox.tsx';
import { SanctionFields, sanctionOf, noSanction } from '../people/sanction-fields.tsx';
import { REPORT_STATUSES } from './labels.ts';

const OUTCOMES = [
  { value: 'resolved', name: 'Report confirmed' },
  { value: 'dismissed', name: 'No violation' },
  { value: 'reviewed', name: 'Reviewed, decision pending' },
] as const;
type Outcome = (typeof OUTCOMES)[number]['value'];

const GRAVITIES = [
  { value: 'ordinary', name: 'Violation' },
  { value: 'serious', name: 'Serious violation' },
  { value: 'illegal', name: 'Illegal content or activity' },
] as const;

/** Decides a report: the outcome, actions on the content, and a sanction for its author. */
export function DecisionForm({
  report,
  acts,
  warnings,
  onDone,
  onConflict,
}: {
  report: AdminReport;
  /** Possible actions on the reported content. */
  acts: { label: string; act: ContentAct }[];
  warnings: AdminWarning[];
  onDone: () => void;
  /** Reloads the report after another moderator or the reporter has changed it. */
  onConflict: () => Promise<unknown>;
}) {
  /** A termination ends an account, so it is suggested in words and never preset. */
  const proposed = (gravity: Gravity) => {
    const next = nextSanction(warnings, gravity, Date.now());
    return noSanction(next === 'termination' ? 'suspension' : next);
  };
  const [status, setStatus] = useState<Outcome>('resolved');
  const [gravity, setGravity] = useState<Gravity>('ordinary');
  const [sanction, setSanction] = useState(() => proposed('ordinary'));
  const [removes, setRemoves] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // Starts with the last moderator's notes.
  const [typed, setTyped] = useState<string | null>(null);
  const notes = typed ?? report.admin_notes ?? '';
  const [hasConflict, setHasConflict] = useState(false);
  const isConfirmed = status === 'resolved';

  const form = useSubmit(
    async (keyFor) => {
      setHasConflict(false);
      const body = {
        version: report.version,
        status,
        admin_notes: notes.trim() || null,
        remove_message: isConfirmed && removes,
        acts: isConfirmed
          ? acts.filter(({ label }) => chosen.has(label)).map(({ act }) => act)
          : [],
        sanction: isConfirmed ? sanctionOf(sanction) : null,
      };
      const params = { id: report.id };
      await call(decideReport, { params, body, idempotencyKey: keyFor(params, body) });
      toast.success('Decision saved');
      void queries.invalidateQueries({ queryKey: ['admin'] });
      onDone();
    },
    {
      async onError(error) {
        if (!(error instanceof CallError && error.code === EDITED_MEANWHILE)) return false;
        await onConflict();
        setHasConflict(true);
        return true;
      },
    },
  );

  return (
    <Form
      form={form}
      submit="Decide"
      pending="Deciding…"
      noValidate={false}
      className="gap-4 border-t border-line pt-4"
    >
      <h3 className="font-bold">Decision</h3>
      <SelectField
        label="Outcome"
        value={status}
        options={OUTCOMES}
        onChange={(event) => setStatus(event.target.value as Outcome)}
      />
      {isConfirmed && (
        <>
          <SelectField
            label="Severity of the violation"
            value={gravity}
            options={GRAVITIES}
            hint="We suggest a warning the first time and a messaging restriction the second, a suspension if it’s serious, and termination if it’s illegal. Termination is yours to choose."
            onChange={(event) => {
              const picked = event.target.value as Gravity;
              setGravity(picked);
              setSanction((before) => ({ ...proposed(picked), reason: before.reason }));
            }}
          />
          <SanctionFields draft={sanction} onChange={setSanction} none="No sanction" />
          {report.subject_type === 'message' && (
            <Checkbox label="Remove the message for both" checked={removes} onChange={setRemoves} />
          )}
          {acts.map(({ label }) => (
            <Checkbox
              key={label}
              label={label}
              checked={chosen.has(label)}
              onChange={(isOn) =>
                setChosen((before) => {
                  const after = new Set(before);
                  if (isOn) after.add(label);
                  else after.delete(label);
                  return after;
                })
              }
            />
          ))}
        </>
      )}
      <MessageField
        label="Notes for moderators"
        value={notes}
        onChange={setTyped}
        max={NOTES_MAX}
        rows={2}
      />
      {hasConflict && (
        <ErrorBanner title={EDITED_TEXT}>
          {`The report above is up to date, and is now: ${REPORT_STATUSES[report.status]}. Your entries are still here. ${
            report.status === 'pending'
              ? 'Read what was added, then decide again.'
              : 'Your decision is added to the earlier one.'
          }`}
        </ErrorBanner>
      )}
    </Form>
  );
}
