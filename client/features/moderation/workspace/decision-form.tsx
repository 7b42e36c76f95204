import { useState } from 'react';
import { EDITED_MEANWHILE, EDITED_TEXT } from '#shared/admin/paging.ts';
import { newId } from '#shared/ids.ts';
import {
  decideReport,
  TAKEN,
  type AdminReport,
  type AdminWarning,
  type ContentAct,
} from '#shared/moderation/admin-contract.ts';
import {
  NOTES_MAX,
  nextSanction,
  REASON_MAX,
  UNDO_SECONDS,
  type Gravity,
  type WarningType,
} from '#shared/moderation/rules.ts';
import { Form } from '../../../platform/forms/form.tsx';
import { useAction } from '../../../platform/forms/use-action.ts';
import { useSubmit } from '../../../platform/forms/use-submit.ts';
import { CallError } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { messageOf } from '../../../platform/http/error-message.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../../platform/ui/feedback/error-banner.tsx';
import { Checkbox } from '../../../platform/ui/inputs/checkbox.tsx';
import { MessageField } from '../../../platform/ui/inputs/message-field.tsx';
import { SelectField } from '../../../platform/ui/inputs/select-field.tsx';
import { TextArea } from '../../../platform/ui/inputs/text-area.tsx';
import { Summary } from '../../../platform/ui/layout/summary.tsx';
import { useMedia } from '../../../platform/ui/layout/use-media.ts';
import { useNow } from '../../../platform/use-now.ts';
import { REPORT_STATUSES, WARNING_TYPES } from '../admin/labels.ts';
import { SanctionFields, sanctionOf, noSanction } from '../people/sanction-fields.tsx';
import { TemplateField } from './template-field.tsx';
import { REASON_TEMPLATES, reasonFor } from './templates.ts';
import { useShortcuts } from './use-shortcuts.ts';

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

/** The decisions of one key each. */
const QUICK: readonly (WarningType | null)[] = [null, 'warning', 'restriction', 'suspension'];
const quickName = (type: WarningType | null): string => {
  if (!type) return 'No violation';
  const { days } = noSanction(type);
  const name = type === 'restriction' ? 'Restriction' : WARNING_TYPES[type];
  return type === 'warning' || days === '' ? name : `${name}, ${days} days`;
};

/** A decision that was made. */
export interface Decided {
  report: AdminReport;
  /** Such as 'Warning'. */
  words: string;
}

/** Decides a report: the outcome, actions on the content, and a sanction for its author. */
export function DecisionForm({
  report,
  acts,
  warnings,
  refusal,
  hasKeys,
  onDone,
  onConflict,
}: {
  report: AdminReport;
  /** Possible actions on the reported content. */
  acts: { label: string; act: ContentAct }[];
  warnings: AdminWarning[];
  /** Why the caller can't decide it now; null if they can. */
  refusal: string | null;
  /** Whether keys decide. */
  hasKeys: boolean;
  onDone: (decided: Decided) => void;
  /** Reloads the report after another moderator or the reporter has changed it. */
  onConflict: () => Promise<unknown>;
}) {
  const now = useNow();
  const isWide = useMedia('(min-width: 80rem)');
  /** A termination ends an account, so it is suggested in words and never preset. */
  const proposed = (gravity: Gravity) => {
    const next = nextSanction(warnings, gravity, now);
    return noSanction(next === 'termination' ? 'suspension' : next);
  };
  const suggested = proposed('ordinary').warning_type;
  const [status, setStatus] = useState<Outcome>('resolved');
  const [gravity, setGravity] = useState<Gravity>('ordinary');
  const [sanction, setSanction] = useState(() => ({
    ...proposed('ordinary'),
    reason: reasonFor(report.report_type),
  }));
  const [removes, setRemoves] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // Starts with the last moderator's notes.
  const [typed, setTyped] = useState<string | null>(null);
  const notes = typed ?? report.admin_notes ?? '';
  const [hasConflict, setHasConflict] = useState(false);
  const isConfirmed = status === 'resolved';

  const [problem, setProblem] = useState('');
  async function decide(
    keyFor: (...of: unknown[]) => string,
    outcome: Outcome,
    chosenSanction: typeof sanction,
  ) {
    setHasConflict(false);
    const isUpheld = outcome === 'resolved';
    const given = isUpheld ? sanctionOf(chosenSanction) : null;
    const body = {
      version: report.version,
      status: outcome,
      admin_notes: notes.trim() || null,
      undo_seconds: UNDO_SECONDS,
      remove_message: isUpheld && removes,
      acts: isUpheld ? acts.filter(({ label }) => chosen.has(label)).map(({ act }) => act) : [],
      sanction: given,
    };
    const params = { id: report.id };
    const decided = await call(decideReport, {
      params,
      body,
      idempotencyKey: keyFor(params, body),
    });
    void queries.invalidateQueries({ queryKey: ['admin'] });
    const confirmed = given ? WARNING_TYPES[given.warning_type] : 'Confirmed';
    onDone({
      report: decided.report,
      words: isUpheld ? confirmed : (OUTCOMES.find(({ value }) => value === outcome)?.name ?? ''),
    });
  }
  async function explain(error: unknown): Promise<boolean> {
    if (!(error instanceof CallError)) return false;
    if (error.code !== EDITED_MEANWHILE && error.code !== TAKEN) return false;
    await onConflict();
    if (error.code === TAKEN) return false;
    setHasConflict(true);
    return true;
  }
  const form = useSubmit((keyFor) => decide(keyFor, status, sanction), { onError: explain });

  const [quick, deciding] = useAction(async (type: WarningType | null) => {
    setProblem('');
    try {
      await decide(
        newKey,
        type ? 'resolved' : 'dismissed',
        type ? { ...noSanction(type), reason: sanction.reason } : sanction,
      );
    } catch (error) {
      if (!(await explain(error))) setProblem(messageOf(error));
    }
  });
  const isBlocked = refusal !== null;
  const needsReason = sanction.reason.trim() === '';
  const decideBy = (type: WarningType | null) => {
    if (isBlocked) return;
    if (type && needsReason) setProblem('Write what the person reads, or choose a template.');
    else void quick(type);
  };
  useShortcuts(
    {
      ...Object.fromEntries(QUICK.map((type, index) => [String(index + 1), () => decideBy(type)])),
      ...(report.subject_type === 'message' && { r: () => setRemoves((before) => !before) }),
    },
    hasKeys,
  );

  const choices = (
    <>
      <div className="grid grid-cols-2 gap-2">
        {QUICK.map((type, index) => (
          <Button
            key={index}
            look={type === suggested ? 'primary' : 'secondary'}
            wide
            className="min-h-11! justify-start! px-2.5! py-1.5! text-left text-sm leading-tight"
            aria-keyshortcuts={String(index + 1)}
            disabled={isBlocked || deciding !== undefined}
            pending={deciding?.[0] === type && 'Deciding…'}
            onClick={() => decideBy(type)}
          >
            {hasKeys && (
              <kbd aria-hidden className="font-mono max-xl:hidden">
                {index + 1}
              </kbd>
            )}
            <span>
              <span>{quickName(type)}</span>
              {type === suggested && <span className="block text-sm font-normal">Suggested</span>}
            </span>
          </Button>
        ))}
      </div>
      {problem && <ErrorBanner>{problem}</ErrorBanner>}
    </>
  );
  return (
    <>
      <section
        aria-label="Decision"
        className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 shadow-lift xl:gap-3"
      >
        <h3 className="font-bold xl:sr-only">Decision</h3>
        {refusal && (
          <ErrorBanner title={refusal}>Choose another one, or wait until they’re done.</ErrorBanner>
        )}
        <TemplateField
          kind="reason"
          builtIn={REASON_TEMPLATES}
          text={sanction.reason}
          onChoose={(reason) => setSanction((before) => ({ ...before, reason }))}
        />
        <TextArea
          label="Reason (shown to the person)"
          rows={isWide ? 2 : 3}
          maxLength={REASON_MAX}
          value={sanction.reason}
          onChange={({ target }) => setSanction((before) => ({ ...before, reason: target.value }))}
        />
        {(report.subject_type === 'message' || acts.length > 0) && (
          <div>
            {report.subject_type === 'message' && (
              <Checkbox
                label="Remove the message for both (R)"
                checked={removes}
                onChange={setRemoves}
              />
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
          </div>
        )}
        {isWide && choices}
        {hasConflict && (
          <ErrorBanner title={EDITED_TEXT}>
            {`The report is up to date, and is now: ${REPORT_STATUSES[report.status]}. Your entries are still here. ${
              report.status === 'pending'
                ? 'Read what was added, then decide again.'
                : 'Your decision is added to the earlier one.'
            }`}
          </ErrorBanner>
        )}
        <details>
          <Summary>Other decisions</Summary>
          <Form
            form={form}
            submit="Decide"
            pending="Deciding…"
            checks
            disabled={isBlocked}
            className="gap-4 pt-2"
          >
            <SelectField
              label="Outcome"
              value={status}
              options={OUTCOMES}
              onChange={(event) => setStatus(event.target.value as Outcome)}
            />
            {isConfirmed && (
              <>
                <SelectField
                  label="How serious is it?"
                  value={gravity}
                  options={GRAVITIES}
                  hint="We suggest a warning the first time and a messaging restriction the second, a suspension if it’s serious, and termination if it’s illegal. Termination is yours to choose."
                  onChange={(event) => {
                    const picked = event.target.value as Gravity;
                    setGravity(picked);
                    setSanction((before) => ({ ...proposed(picked), reason: before.reason }));
                  }}
                />
                <SanctionFields
                  draft={sanction}
                  onChange={setSanction}
                  none="No sanction"
                  hasReason={false}
                />
              </>
            )}
            <MessageField
              label="Notes for moderators"
              value={notes}
              onChange={setTyped}
              max={NOTES_MAX}
              rows={2}
            />
          </Form>
        </details>
      </section>
      {!isWide && (
        <section
          aria-label="Choices"
          className="sticky bottom-2 z-20 flex flex-col gap-1.5 rounded-card border border-line-strong bg-surface p-2 shadow-lift"
        >
          {!needsReason && (
            // The whole of it is one tap away, so that the evidence stays in view.
            <details className="group px-1">
              <Summary className="min-h-7! text-sm text-soft">
                <span className="line-clamp-1 min-w-0 flex-1 break-words group-open:line-clamp-none">
                  {`They’d read: ${sanction.reason}`}
                </span>
              </Summary>
            </details>
          )}
          {choices}
        </section>
      )}
    </>
  );
}

/** Each press is a decision of its own; a repeat of the same one is refused by its version. */
const newKey = () => newId();
