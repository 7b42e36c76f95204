import { useState, type FormEvent } from 'react';
import { toast } from 'sonner';
import {
  createRule,
  RULE_NAME_MAX,
  tryRule,
  updateRule,
  type ModerationRule,
  type RuleAction,
} from '#shared/moderation/rules-contract.ts';
import type { ModerationSeverity, RuleType } from '#shared/moderation/contract.ts';
import { PATTERN_MAX } from '#shared/moderation/patterns.ts';
import { EditedMeanwhile } from '../admin/edited-meanwhile.tsx';
import { useEdit } from '../admin/use-edit.ts';
import { call } from '../api.ts';
import { queries } from '../queries.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Field } from '../ui/field.tsx';
import { optionsOf, SelectField } from '../ui/select-field.tsx';
import { useRequestKey } from '../use-problems.ts';
import { RULE_ACTIONS, RULE_TYPES, SEVERITIES } from './names.ts';
import { TrialResult, type Trial } from './trial-result.tsx';

const LABELS = {
  rule_type: 'Finds',
  rule_name: 'Name',
  rule_pattern: 'Pattern',
  severity: 'Severity',
  action: 'Action',
  is_active: 'State',
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

/** A rule, and what it would have found. @param rule null for a new one */
export function RuleForm({
  rule,
  reload,
  onDone,
}: {
  rule: ModerationRule | null;
  reload: () => Promise<ModerationRule>;
  onDone: () => void;
}) {
  const edit = useEdit(rule ?? NEW, draftOf, reload);
  const { form, words, fields, show, showRefusal, draft, set, version, meanwhile } = edit;
  const [trial, setTrial] = useState<Trial | null>(null);
  const [busy, setBusy] = useState<'saving' | 'trying' | null>(null);
  const { keyFor } = useRequestKey();
  const rule_type = draft.rule_type as RuleType;
  const { rule_pattern } = draft;

  async function run(what: 'saving' | 'trying', work: () => Promise<void>) {
    setBusy(what);
    show('');
    try {
      await work();
    } catch (error) {
      await showRefusal(
        error,
        (what === 'trying' ? tryRule : rule ? updateRule : createRule).failure,
      );
    }
    setBusy(null);
  }

  const tryOut = () =>
    run('trying', async () => {
      setTrial(await call(tryRule, { body: { rule_type, rule_pattern } }));
    });

  const save = (event: FormEvent) => {
    event.preventDefault();
    void run('saving', async () => {
      const body = {
        rule_type,
        rule_pattern,
        rule_name: draft.rule_name,
        severity: draft.severity as ModerationSeverity,
        action: draft.action as RuleAction,
        is_active: draft.is_active === 'yes',
      };
      if (rule) await call(updateRule, { params: { id: rule.id }, body: { ...body, version } });
      else await call(createRule, { body, idempotencyKey: keyFor(body) });
      toast.success('Rule saved');
      void queries.invalidateQueries({ queryKey: ['admin', 'moderation-rules'] });
      onDone();
    });
  };

  return (
    <form ref={form} onSubmit={save} className="flex flex-col gap-4">
      <EditedMeanwhile
        changes={meanwhile}
        draft={draft}
        labels={LABELS}
        onTake={(field, value) => set(field as keyof typeof draft, value)}
      />
      <Field
        label={LABELS.rule_name}
        required
        maxLength={RULE_NAME_MAX}
        value={draft.rule_name}
        error={fields['rule_name']}
        onChange={(event) => set('rule_name', event.target.value)}
      />
      <SelectField
        label={LABELS.rule_type}
        value={draft.rule_type}
        options={optionsOf(RULE_TYPES)}
        hint={
          rule_type === 'exception'
            ? 'Words that no rule holds against anybody, such as a breed or a town.'
            : undefined
        }
        onChange={(event) => {
          setTrial(null);
          set('rule_type', event.target.value);
        }}
      />
      <Field
        label={LABELS.rule_pattern}
        hint="* stands for any letters, ? for one."
        required
        maxLength={PATTERN_MAX}
        autoCapitalize="none"
        spellCheck={false}
        value={rule_pattern}
        error={fields['rule_pattern']}
        onChange={(event) => {
          setTrial(null);
          set('rule_pattern', event.target.value);
        }}
      />
      <Button
        look="secondary"
        wide
        disabled={rule_pattern.trim() === ''}
        pending={busy === 'trying' && 'Trying…'}
        onClick={() => void tryOut()}
      >
        Try on past messages
      </Button>
      {trial && <TrialResult trial={trial} />}
      {rule_type !== 'exception' && (
        <div className="grid grid-cols-2 gap-3">
          <SelectField
            label={LABELS.severity}
            value={draft.severity}
            options={optionsOf(SEVERITIES)}
            onChange={(event) => set('severity', event.target.value)}
          />
          <SelectField
            label={LABELS.action}
            value={draft.action}
            options={optionsOf(RULE_ACTIONS)}
            onChange={(event) => set('action', event.target.value)}
          />
        </div>
      )}
      <SelectField
        label={LABELS.is_active}
        value={draft.is_active}
        options={[
          { value: 'yes', name: 'Active' },
          { value: 'no', name: 'Inactive' },
        ]}
        onChange={(event) => set('is_active', event.target.value)}
      />
      {words && <ErrorBanner>{words}</ErrorBanner>}
      <Button type="submit" wide pending={busy === 'saving' && 'Saving…'}>
        Save
      </Button>
    </form>
  );
}
