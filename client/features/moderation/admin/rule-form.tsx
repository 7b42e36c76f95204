import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import type { z } from 'zod';
import type { RuleType } from '#shared/moderation/contract.ts';
import { PATTERN_MAX } from '#shared/moderation/patterns.ts';
import {
  createRule,
  RULE_NAME_MAX,
  tryRule,
  updateRule,
  type ModerationRule,
  type RuleAction,
} from '#shared/moderation/rules-contract.ts';
import type { ModerationSeverity } from '#shared/moderation/rules.ts';
import { EditForm } from '../../../platform/admin/list/edit-form.tsx';
import { useEdit } from '../../../platform/admin/list/use-edit.ts';
import { useAction } from '../../../platform/forms/use-action.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { Field } from '../../../platform/ui/inputs/field.tsx';
import { optionsOf, SelectField } from '../../../platform/ui/inputs/select-field.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { ACTIVITY, RULE_ACTIONS, RULE_TYPES, SEVERITIES } from './labels.ts';
import { ruleContradiction } from './rule-contradiction.ts';

const LABELS = {
  rule_type: 'Type',
  rule_name: 'Name',
  rule_pattern: 'Pattern',
  severity: 'Severity',
  action: 'Action',
  is_active: 'Status',
};

const NEW: ModerationRule = {
  id: '',
  rule_type: 'word',
  rule_name: '',
  rule_pattern: '',
  severity: 'medium',
  action: 'flag',
  is_active: true,
  updated_at: '',
  version: 0,
};

const draftOf = (rule: ModerationRule) => ({
  rule_type: rule.rule_type as string,
  rule_name: rule.rule_name,
  rule_pattern: rule.rule_pattern,
  severity: rule.severity as string,
  action: rule.action as string,
  is_active: rule.is_active ? 'yes' : 'no',
});

/** Edits a rule and tests it on past messages. @param rule null for a new one */
export function RuleForm({
  rule,
  reload,
  onDone,
}: {
  rule: ModerationRule | null;
  reload: () => Promise<ModerationRule>;
  onDone: () => void;
}) {
  const [trial, setTrial] = useState<Trial | null>(null);
  const edit = useEdit({
    row: rule ?? NEW,
    draftOf,
    reload,
    async save({ draft: typed, version, keyFor }) {
      const body = {
        ...typed,
        rule_type: typed.rule_type as RuleType,
        severity: typed.severity as ModerationSeverity,
        action: typed.action as RuleAction,
        is_active: typed.is_active === 'yes',
      };
      if (rule) await call(updateRule, { params: { id: rule.id }, body: { ...body, version } });
      else await call(createRule, { body, idempotencyKey: keyFor(body) });
      toast.success('Rule saved');
      void queries.invalidateQueries({ queryKey: ['admin', 'moderation-rules'] });
      onDone();
    },
  });
  const { form, draft, set, bind } = edit;
  const rule_type = draft.rule_type as RuleType;
  const { rule_pattern } = draft;
  const [tryOut, trying] = useAction(async () => {
    form.clear();
    try {
      setTrial(await call(tryRule, { body: { rule_type, rule_pattern } }));
    } catch (error) {
      form.showError(error);
    }
  });

  return (
    <EditForm edit={edit} labels={LABELS} submit="Save" onCancel={onDone} checks>
      <Field label={LABELS.rule_name} required maxLength={RULE_NAME_MAX} {...bind('rule_name')} />
      <SelectField
        label={LABELS.rule_type}
        {...bind('rule_type')}
        options={optionsOf(RULE_TYPES)}
        hint={rule_type === 'exception' ? 'Allowed words, such as a breed or a town.' : undefined}
        onChange={(event) => {
          setTrial(null);
          set('rule_type', event.target.value);
        }}
      />
      <Field
        label={LABELS.rule_pattern}
        hint="* matches any letters, ? matches one."
        required
        maxLength={PATTERN_MAX}
        autoCapitalize="none"
        spellCheck={false}
        {...bind('rule_pattern')}
        onChange={(event) => {
          setTrial(null);
          set('rule_pattern', event.target.value);
        }}
      />
      <Button
        look="secondary"
        wide
        disabled={rule_pattern.trim() === ''}
        pending={trying && 'Testing…'}
        onClick={() => void tryOut()}
      >
        Test on past messages
      </Button>
      {trial && <TrialResult trial={trial} />}
      {rule_type !== 'exception' && (
        <div className="grid grid-cols-2 gap-3">
          <SelectField
            label={LABELS.severity}
            {...bind('severity')}
            options={optionsOf(SEVERITIES)}
          />
          <SelectField
            label={LABELS.action}
            {...bind('action')}
            options={optionsOf(RULE_ACTIONS)}
          />
        </div>
      )}
      <Contradiction draft={draft} />
      <SelectField label={LABELS.is_active} {...bind('is_active')} options={optionsOf(ACTIVITY)} />
    </EditForm>
  );
}

/** Points out that severity and action contradict each other; the rule can be saved in spite of it. */
function Contradiction({ draft }: { draft: ReturnType<typeof draftOf> }) {
  const text =
    draft.rule_type === 'exception'
      ? null
      : ruleContradiction(draft.severity as ModerationSeverity, draft.action as RuleAction);
  return (
    <div role="status" className="empty:hidden">
      {text && (
        <p className="flex items-start gap-2 rounded-control border-2 border-ink p-3">
          <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
          <span>
            <strong className="block">Severity and action contradict each other</strong>
            {text}
          </span>
        </p>
      )}
    </div>
  );
}

type Trial = z.output<(typeof tryRule)['answer']>;

/** The messages that a rule would have matched. */
function TrialResult({ trial }: { trial: Trial }) {
  const { checked, found, is_partial, samples } = trial;
  return (
    <div role="status" className="flex flex-col gap-2 rounded-control bg-sunken p-3">
      <p className="font-bold tabular-nums">
        <span>
          Matches {found} of the newest {checked} messages
        </span>
        {is_partial && <span>{' (older ones weren’t checked)'}</span>}
      </p>
      {samples.length > 0 && (
        <ul className="flex flex-col gap-1.5 text-sm">
          {samples.map(({ message_text, created_at }, i) => (
            <li key={i} className="break-words">
              <span className="line-clamp-2">{message_text}</span>
              <span className="text-soft">
                <Time at={created_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
