import type { WarningSeverity } from '#shared/moderation/contract.ts';
import { REASON_MAX, DAYS, DAYS_MAX } from '#shared/moderation/rules.ts';
import type { WarningType } from '#shared/moderation/rules.ts';
import { Checkbox } from '../../../platform/ui/inputs/checkbox.tsx';
import { Field } from '../../../platform/ui/inputs/field.tsx';
import { optionsOf, SelectField } from '../../../platform/ui/inputs/select-field.tsx';
import { TextArea } from '../../../platform/ui/inputs/text-area.tsx';
import { WARNING_SEVERITIES, WARNING_TYPES } from '../admin/labels.ts';

export interface SanctionDraft {
  warning_type: WarningType | '';
  severity: WarningSeverity;
  reason: string;
  days: string;
  /** Whether the moderator confirmed that a termination ends the account. */
  is_end_confirmed: boolean;
  law_enforcement_notice: boolean;
}

/** Returns the initial draft for a type of sanction. */
export const noSanction = (warning_type: WarningType | ''): SanctionDraft => ({
  warning_type,
  severity: warning_type === 'warning' || warning_type === '' ? 'minor' : 'moderate',
  reason: '',
  days: warning_type ? String(DAYS[warning_type] ?? '') : '',
  is_end_confirmed: false,
  // Tells an authority: nothing that does is preset.
  law_enforcement_notice: false,
});

/** Converts a draft for the call; null for no sanction. */
export function sanctionOf({ warning_type, severity, reason, days, ...draft }: SanctionDraft) {
  if (warning_type === '') return null;
  const isTermination = warning_type === 'termination';
  return {
    warning_type,
    severity,
    reason: reason.trim(),
    days: isTermination || days === '' ? null : Number(days),
    law_enforcement_notice: isTermination && draft.law_enforcement_notice,
  };
}

/** The fields of a sanction. @param none label of the option for no sanction, if offered */
export function SanctionFields({
  draft,
  onChange,
  none,
  hasReason = true,
}: {
  draft: SanctionDraft;
  onChange: (draft: SanctionDraft) => void;
  none?: string;
  /** Whether the reason is asked for here. */
  hasReason?: boolean;
}) {
  const { warning_type, severity, reason, days, is_end_confirmed, law_enforcement_notice } = draft;
  const set = (change: Partial<SanctionDraft>) => onChange({ ...draft, ...change });
  return (
    <>
      <SelectField
        label="Sanction"
        value={warning_type}
        options={[...(none ? [{ value: '', name: none }] : []), ...optionsOf(WARNING_TYPES)]}
        onChange={(event) => {
          const chosen = noSanction(event.target.value as WarningType | '');
          onChange({ ...chosen, reason });
        }}
      />
      {warning_type !== '' && (
        <>
          <div className="grid grid-cols-2 gap-3">
            <SelectField
              label="Severity"
              value={severity}
              options={optionsOf(WARNING_SEVERITIES)}
              onChange={(event) => set({ severity: event.target.value as WarningSeverity })}
            />
            {warning_type !== 'termination' && (
              <Field
                label={warning_type === 'warning' ? 'Expires after (days)' : 'Days'}
                type="number"
                inputMode="numeric"
                min={1}
                max={DAYS_MAX}
                required
                value={days}
                onChange={(event) => set({ days: event.target.value })}
              />
            )}
          </div>
          {warning_type === 'termination' && (
            <>
              <Checkbox
                label="End this account for good"
                hint="They can’t walk, chat or sign up again. They can still appeal and download their data."
                checked={is_end_confirmed}
                required
                onChange={(checked) => set({ is_end_confirmed: checked })}
              />
              <Checkbox
                label="Illegal: notify law enforcement, and tell the person"
                checked={law_enforcement_notice}
                onChange={(checked) => set({ law_enforcement_notice: checked })}
              />
              <p className="text-sm text-soft">
                We don’t send the notice for you. It waits in the overview until a moderator sends
                it and records the authority.
              </p>
            </>
          )}
          {hasReason && (
            <TextArea
              label="Reason (shown to the person)"
              rows={3}
              required
              maxLength={REASON_MAX}
              value={reason}
              onChange={(event) => set({ reason: event.target.value })}
            />
          )}
        </>
      )}
    </>
  );
}
