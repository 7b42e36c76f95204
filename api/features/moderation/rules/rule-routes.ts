import {
  createRule,
  deleteRule,
  listRules,
  tryRule,
  updateRule,
  type ModerationRule,
} from '#shared/moderation/rules-contract.ts';
import { filterOf } from '#shared/moderation/word-filter.ts';
import { createRow, edit, removeRow } from '../../../platform/admin/versioned-edit.ts';
import { serve } from '../../../platform/http/mount-endpoint.ts';
import type { Api } from '../../../platform/services.ts';
import { messages } from '../../chat/collections.ts';
import { type RuleRow, moderationRules } from '../../content-rules/collections.ts';

const SAMPLES = 10;
const TRIED_MAX = 20_000;
/** Time limit of a trial; other requests run between batches. */
const TRIAL_MS = 1_500;
const BATCH = 200;

const present = ({ _id, updated_at, ...row }: RuleRow): ModerationRule => ({
  ...row,
  id: _id,
  updated_at: updated_at.toISOString(),
});
const missing = 'Rule not found';

/** The editor of moderation rules. */
export function mountRules(api: Api): void {
  const { services } = api;
  const tries = services.limiter({ name: 'rule-trials', points: 60, seconds: 600 });
  const announceChange = () => services.signals.send('moderation', '');

  serve(api, listRules, async () => {
    const found = await moderationRules(services.db)
      .find()
      .sort({ rule_name: 1, rule_pattern: 1 })
      .toArray();
    return { rules: found.map(present) };
  });

  serve(api, createRule, async ({ body, caller, freshId }) => {
    const row: RuleRow = { ...body, _id: freshId(), updated_at: new Date(), version: 0 };
    const made = await createRow(services, moderationRules(services.db), {
      caller,
      act: 'rule.create',
      row,
      auditFields: body,
    });
    await announceChange();
    return { rule: present(made) };
  });

  serve(api, updateRule, async ({ params: { id }, body, caller }) => {
    const { version, ...set } = body;
    const row = await edit(services, moderationRules(services.db), {
      caller,
      act: 'rule.update',
      id,
      version,
      set,
      derive: () => ({ updated_at: new Date() }),
      missing,
    });
    await announceChange();
    return { rule: present(row) };
  });

  serve(api, deleteRule, async ({ params: { id }, query: { version }, caller }) => {
    const auditFields = ({ _id, ...before }: RuleRow) => before;
    await removeRow(services, moderationRules(services.db), {
      caller,
      act: 'rule.delete',
      id,
      version,
      missing,
      auditFields,
    });
    await announceChange();
    return {};
  });

  serve(api, tryRule, async ({ body, caller }) => {
    await tries(caller.user._id);
    // An exception is tried like a rule with the same words.
    const rule_type = body.rule_type === 'text' ? 'text' : 'word';
    const find = filterOf([{ ...body, rule_type }]);
    // A trial shows private messages, so it is recorded in the audit log.
    const looked = {
      caller,
      act: 'rule.try' as const,
      subject_id: 'messages',
      before: null,
      after: body,
    };
    await services.audit(looked, async () => {});
    const deadline = Date.now() + TRIAL_MS;
    const newest = messages(services.db)
      .find({}, { projection: { text: 1, created_at: 1 } })
      .sort({ created_at: -1 })
      .limit(TRIED_MAX + 1)
      .batchSize(BATCH);
    const trial = { checked: 0, found: 0, is_partial: false };
    const samples: { message_text: string; created_at: string }[] = [];
    for await (const { text, created_at } of newest) {
      if (trial.checked === TRIED_MAX || Date.now() > deadline) {
        trial.is_partial = true;
        break;
      }
      trial.checked++;
      if (find(text).length === 0) continue;
      trial.found++;
      if (samples.length < SAMPLES)
        samples.push({ message_text: text, created_at: created_at.toISOString() });
    }
    return { ...trial, samples };
  });
}
