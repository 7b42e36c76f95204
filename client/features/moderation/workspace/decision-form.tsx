import { useState } from 'react';
import { EDITED_TEXT } from '#shared/admin/paging.ts';
import {
  type AdminReport,
  type AdminWarning,
  type ContentAct,
} from '#shared/moderation/admin-contract.ts';
import {
  NOTES_MAX,
  nextSanction,
  REASON_MAX,
  type Gravity,
  type WarningType,
} from '#shared/moderation/rules.ts';
import { Form } from '../../../platform/forms/form.tsx';
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
import { SanctionFields, noSanction, type SanctionDraft } from '../people/sanction-fields.tsx';
import { TemplateField } from './template-field.tsx';
import { REASON_TEMPLATES, reasonFor } from './templates.ts';
import { OUTCOMES, useDecide, type Decided, type Outcome } from './use-decide.ts';
import { useShortcuts } from './use-shortcuts.ts';

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

/** A termination ends an account, so it is suggested in words and never preset. */
const proposedSanction = (next: WarningType) =>
  noSanction(next === 'termination' ? 'suspension' : next);

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
  const proposed = (of: Gravity) => proposedSanction(nextSanction(warnings, of, now));
  const suggested = proposed('ordinary').warning_type;
  const [status, setStatus] = useState<Outcome>('resolved');
  const [gravity, setGravity] = useState<Gravity>('ordinary');
  const [sanction, setSanction] = useState(() => ({
    ...proposed('ordinary'),
    reason: reasonFor(report.report_type),
  }));
  const [removes, setRemoves] = useState(false);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  // Starts with the last moderator's notes.
  const [typed, setTyped] = useState<string | null>(null);
  const notes = typed ?? report.admin_notes ?? '';

  const { form, quick, deciding, problem, setProblem, hasConflict } = useDecide({
    report,
    outcome: status,
    sanction,
    notes,
    removes,
    acts: acts.filter(({ label }) => chosen.includes(label)).map(({ act }) => act),
    onDone,
    onConflict,
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
      <QuickChoices
        suggested={suggested}
        hasKeys={hasKeys}
        isDisabled={isBlocked || deciding !== undefined}
        deciding={deciding?.[0]}
        onDecide={decideBy}
      />
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
        <ContentActs
          hasMessage={report.subject_type === 'message'}
          removes={removes}
          onRemoves={setRemoves}
          acts={acts}
          chosen={chosen}
          onChoose={setChosen}
        />
        {isWide && choices}
        {hasConflict && <ErrorBanner title={EDITED_TEXT}>{conflictWords(report)}</ErrorBanner>}
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
            <OutcomeFields
              outcome={status}
              onOutcome={setStatus}
              gravity={gravity}
              onGravity={(picked) => {
                setGravity(picked);
                setSanction((before) => ({ ...proposed(picked), reason: before.reason }));
              }}
              sanction={sanction}
              onSanction={setSanction}
            />
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
          {!needsReason && <ReasonLine reason={sanction.reason} />}
          {choices}
        </section>
      )}
    </>
  );
}

/** The decisions of one key each. @param deciding the one that is being sent, undefined if none is */
function QuickChoices({
  suggested,
  hasKeys,
  isDisabled,
  deciding,
  onDecide,
}: {
  suggested: WarningType | '';
  hasKeys: boolean;
  isDisabled: boolean;
  deciding: WarningType | null | undefined;
  onDecide: (type: WarningType | null) => void;
}) {
  return (
    <div className="grid grid-cols-2 gap-2">
      {QUICK.map((type, index) => (
        <Button
          key={index}
          look={type === suggested ? 'primary' : 'secondary'}
          wide
          className="min-h-11! justify-start! px-2.5! py-1.5! text-left text-sm leading-tight"
          aria-keyshortcuts={String(index + 1)}
          disabled={isDisabled}
          pending={deciding === type && 'Deciding…'}
          onClick={() => onDecide(type)}
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
  );
}

/** What is decided by the form: the outcome, how serious it is, and the sanction. */
function OutcomeFields({
  outcome,
  onOutcome,
  gravity,
  onGravity,
  sanction,
  onSanction,
}: {
  outcome: Outcome;
  onOutcome: (outcome: Outcome) => void;
  gravity: Gravity;
  onGravity: (gravity: Gravity) => void;
  sanction: SanctionDraft;
  onSanction: (sanction: SanctionDraft) => void;
}) {
  return (
    <>
      <SelectField
        label="Outcome"
        value={outcome}
        options={OUTCOMES}
        onChange={(event) => onOutcome(event.target.value as Outcome)}
      />
      {outcome === 'resolved' && (
        <>
          <SelectField
            label="How serious is it?"
            value={gravity}
            options={GRAVITIES}
            hint="We suggest a warning the first time and a messaging restriction the second, a suspension if it’s serious, and termination if it’s illegal. Termination is yours to choose."
            onChange={(event) => onGravity(event.target.value as Gravity)}
          />
          <SanctionFields
            draft={sanction}
            onChange={onSanction}
            none="No sanction"
            hasReason={false}
          />
        </>
      )}
    </>
  );
}

const conflictWords = ({ status }: AdminReport) =>
  `The report is up to date, and is now: ${REPORT_STATUSES[status]}. Your entries are still here. ${
    status === 'pending'
      ? 'Read what was added, then decide again.'
      : 'Your decision is added to the earlier one.'
  }`;

/** What happens to the content besides. */
function ContentActs({
  hasMessage,
  removes,
  onRemoves,
  acts,
  chosen,
  onChoose,
}: {
  hasMessage: boolean;
  removes: boolean;
  onRemoves: (removes: boolean) => void;
  acts: { label: string }[];
  chosen: readonly string[];
  onChoose: (labels: readonly string[]) => void;
}) {
  if (!hasMessage && acts.length === 0) return null;
  return (
    <div>
      {hasMessage && (
        <Checkbox label="Remove the message for both (R)" checked={removes} onChange={onRemoves} />
      )}
      {acts.map(({ label }) => (
        <Checkbox
          key={label}
          label={label}
          checked={chosen.includes(label)}
          onChange={(isOn) =>
            onChoose(isOn ? [...chosen, label] : chosen.filter((each) => each !== label))
          }
        />
      ))}
    </div>
  );
}

/** What the person would read. The whole of it is one tap away, so that the evidence stays in view. */
function ReasonLine({ reason }: { reason: string }) {
  return (
    <details className="group px-1">
      <Summary className="min-h-7! text-sm text-soft">
        <span className="line-clamp-1 min-w-0 flex-1 break-words group-open:line-clamp-none">
          {`They’d read: ${reason}`}
        </span>
      </Summary>
    </details>
  );
}
