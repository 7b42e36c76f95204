import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { auditLog } from '#shared/admin/contract.ts';
import { createFriendRequest } from '#shared/friends/contract.ts';
import {
  BLOCKED_TEXT,
  getWords,
  guidelineCategory,
  listGuidelines,
} from '#shared/moderation/contract.ts';
import {
  createGuideline,
  createRule,
  deleteRule,
  listAllGuidelines,
  listLog,
  listRules,
  tryRule,
  updateGuideline,
  updateRule,
} from '#shared/moderation/rules-contract.ts';
import { outcomeOf } from '#shared/moderation/rules.ts';
import { filterOf } from '#shared/moderation/word-filter.ts';
import type { LogRow } from '../../api/features/content-rules/collections.ts';
import { countWords } from '../../client/platform/admin/format.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import { written } from './insert-messages.ts';
import { addRule, logOf } from './visible-messages.ts';

let api: TestApi;
let admin: TestPerson;
let member: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
  member = await api.as('member@example.com');
});
afterAll(() => api.close());

const rule = {
  rule_type: 'word' as const,
  rule_name: 'Fruit',
  rule_pattern: 'rotten banana*',
  severity: 'critical' as const,
  action: 'block' as const,
};
const WRONG_PATTERN =
  'Use words with * for any letters and ? for one, with at least two letters next to each other';
const EDITED = { code: 'edited_meanwhile', error: 'Another admin changed this in the meantime' };

describe('word list for devices', () => {
  test('returns the words with a version, and no words for the current version', async () => {
    const { version, words } = await member.call(getWords, { query: {} });
    expect(words?.length).toBeGreaterThan(50);
    expect(new Set(words?.map((word) => Object.keys(word).toSorted().join()))).toEqual(
      new Set(['rule_pattern,rule_type,severity']),
    );
    expect(await member.call(getWords, { query: { version } })).toEqual({
      version,
      words: null,
      texts: null,
    });
    const outcome = (text: string) => outcomeOf(filterOf(words ?? [])(text));
    expect(outcome('go k!ll yourself')).toBe('blocked');
    expect(outcome('shit happens')).toBe('warned');
    expect(outcome('the shitzu of my neighbour in Scunthorpe')).toBe('sent');
  });

  test('text rules reach devices apart from the words, and change the version', async () => {
    const before = await member.call(getWords, { query: {} });
    const outcome = (texts: typeof before.texts, text: string) =>
      outcomeOf(filterOf(texts ?? [])(text));
    expect(outcome(before.texts, 'Buy cheap bones at bones.example')).toBe('sent');
    const body = { ...rule, rule_type: 'text' as const, rule_pattern: 'bones.example' };
    const made = (await admin.call(createRule, { body })).rule;
    const after = await member.call(getWords, { query: { version: before.version } });
    expect(outcome(after.texts, 'Buy cheap bones at bones.example')).toBe('blocked');
    expect(after.words?.some(({ rule_pattern }) => rule_pattern === 'bones.example')).toBe(false);
    await admin.call(deleteRule, { params: { id: made.id }, query: { version: made.version } });
    expect((await member.call(getWords, { query: {} })).version).toBe(before.version);
  });

  test('the word list changes with the rules', async () => {
    const before = await member.call(getWords, { query: {} });
    const made = (await admin.call(createRule, { body: rule })).rule;
    const after = await member.call(getWords, { query: { version: before.version } });
    expect(after.version).not.toBe(before.version);
    expect(after.words).toContainEqual({
      rule_type: 'word',
      rule_pattern: 'rotten banana*',
      severity: 'critical',
    });
    const off = { ...rule, is_active: false, version: made.version };
    await admin.call(updateRule, { params: { id: made.id }, body: off });
    expect((await member.call(getWords, { query: {} })).version).toBe(before.version);
  });
});

/** Simulates an API that stopped between the write and its response: the idempotency key is lost. */
const forgetAnswers = () => api.db.collection('idempotency_keys').deleteMany({});

describe('the editor of rules', () => {
  test('creates a rule once, also when a crash lost the first response', async () => {
    const asked = { body: { ...rule, rule_name: 'Made once' }, idempotencyKey: 'made-once' };
    const made = await admin.call(createRule, asked);
    await forgetAnswers();
    expect(await admin.call(createRule, asked)).toEqual(made);
    const { rules } = await admin.call(listRules);
    expect(rules.filter(({ rule_name }) => rule_name === 'Made once')).toEqual([made.rule]);
    const params = { id: made.rule.id };
    await admin.call(deleteRule, { params, query: { version: 0 } });
  });

  test('creates, changes and deletes rules, and audits each step', async () => {
    const made = await admin.call(createRule, { body: rule, idempotencyKey: 'rule' });
    expect(await admin.call(createRule, { body: rule, idempotencyKey: 'rule' })).toEqual(made);
    const { id } = made.rule;
    expect(made.rule).toMatchObject({ ...rule, is_active: true, version: 0 });
    const body = { ...rule, rule_name: 'Old fruit', is_active: true, version: 0 };
    const changed = await admin.call(updateRule, { params: { id }, body });
    expect(changed.rule).toMatchObject({ rule_name: 'Old fruit', version: 1 });
    expect((await admin.call(listRules)).rules).toContainEqual(changed.rule);

    await expectRefused(admin.call(updateRule, { params: { id }, body }), 409, EDITED);
    await expectRefused(
      admin.call(deleteRule, { params: { id }, query: { version: 0 } }),
      409,
      EDITED,
    );
    await admin.call(deleteRule, { params: { id }, query: { version: 1 } });
    const missing = { error: 'Rule not found' };
    await expectRefused(
      admin.call(deleteRule, { params: { id }, query: { version: 1 } }),
      404,
      missing,
    );
    await expectRefused(admin.call(updateRule, { params: { id }, body }), 404, missing);
    const { entries } = await admin.call(auditLog, { query: { subject_id: id } });
    expect(entries.map(({ act }) => act)).toEqual(['rule.delete', 'rule.update', 'rule.create']);
  });

  test.each([
    [{ rule_pattern: '' }, 'rule_pattern', 'Required'],
    [{ rule_pattern: '*' }, 'rule_pattern', WRONG_PATTERN],
    [{ rule_pattern: '(a+)+$' }, 'rule_pattern', WRONG_PATTERN],
    [{ rule_pattern: 'x'.repeat(101) }, 'rule_pattern', 'Invalid input'],
    [{ rule_name: '' }, 'rule_name', 'Required'],
    [{ severity: 'awful' }, 'severity', 'Invalid input'],
    [{ action: 'shoot' }, 'action', 'Invalid input'],
    [{ rule_type: 'regexp' }, 'rule_type', 'Invalid input'],
  ])('rejects a rule with %j', async (wrong, field, error) => {
    const body = { ...rule, ...wrong } as typeof rule;
    await expectRefused(admin.call(createRule, { body }), 400, { fields: { [field]: error } });
  });

  test('tests a rule on past messages', async () => {
    const texts = ['A rotten banana!', 'fresh bread', 'r0tten   bananas', 'rotten banana split'];
    await written(api.db, member.user.id, admin.user.id, texts);
    const { rule_type, rule_pattern } = rule;
    const trial = await admin.call(tryRule, { body: { rule_type, rule_pattern } });
    expect(trial).toMatchObject({ checked: 4, found: 3, is_partial: false });
    expect(trial.samples.map(({ message_text }) => message_text).toSorted()).toEqual(
      ['A rotten banana!', 'r0tten   bananas', 'rotten banana split'].toSorted(),
    );
    const text = { rule_type: 'text' as const, rule_pattern: 'fresh*bread' };
    expect((await admin.call(tryRule, { body: text })).found).toBe(1);
    const exception = { rule_type: 'exception' as const, rule_pattern: 'fresh bread' };
    expect((await admin.call(tryRule, { body: exception })).found).toBe(1);
    await expectRefused(admin.call(tryRule, { body: { rule_type, rule_pattern: '?' } }), 400, {
      error: WRONG_PATTERN,
    });
    const many = Array.from({ length: 60 }, (_, i) => `a rotten banana ${i}`);
    await written(api.db, member.user.id, admin.user.id, many);
    const more = await admin.call(tryRule, { body: { rule_type, rule_pattern } });
    expect(more).toMatchObject({ found: 63 });
    expect(more.samples).toHaveLength(10);
  });

  test('audits who searched past messages and for which pattern', async () => {
    const body = { rule_type: 'text' as const, rule_pattern: 'where is*key' };
    await admin.call(tryRule, { body });
    const { entries } = await admin.call(auditLog, { query: { act: 'rule.try', limit: 1 } });
    expect(entries).toMatchObject([{ admin_user_id: admin.user.id, after: body, voids: null }]);
  });
});

test('default rules that an admin deleted do not return after a restart', async () => {
  const { rules } = await admin.call(listRules);
  const removedRule = rules.find(({ rule_pattern }) => rule_pattern === 'damn');
  if (!removedRule) throw new Error('no such rule');
  const { id, version } = removedRule;
  await admin.call(deleteRule, { params: { id }, query: { version } });
  await api.restartApi();
  const after = (await admin.call(listRules)).rules;
  expect(after).toHaveLength(rules.length - 1);
  expect(after.map((each) => each.id)).not.toContain(id);
});

test('rejects and logs critical words in a friend request', async () => {
  const made = await admin.call(createRule, { body: rule });
  const body = { receiver_user_id: admin.user.id, message: 'You r0tten banana' };
  await expectRefused(member.call(createFriendRequest, { body }), 400, {
    error: BLOCKED_TEXT,
    code: 'blocked_content',
  });
  const { entries } = await admin.call(listLog, {
    query: { user_id: member.user.id, action_taken: 'blocked' },
  });
  expect(entries).toMatchObject([
    {
      message_id: null,
      moderation_type: 'rule',
      flagged_content: 'You r0tten banana',
      rule_triggered: 'Fruit',
      severity: 'critical',
      action_taken: 'blocked',
      admin_user_id: null,
    },
  ]);
  const { id, version } = made.rule;
  await admin.call(deleteRule, { params: { id }, query: { version } });
});

test('rejects words in a friend request that a rule would delete or review, and logs flagged ones', async () => {
  const stranger = await api.as('stranger@example.com');
  const ask = (message: string) =>
    stranger.call(createFriendRequest, { body: { receiver_user_id: member.user.id, message } });
  await addRule(admin, 'medlar', 'require_review');
  await expectRefused(ask('Have a medlar'), 400, { error: BLOCKED_TEXT });
  await addRule(admin, 'quince', 'auto_delete');
  await expectRefused(ask('Have a quince'), 400, { error: BLOCKED_TEXT });
  await ask('You stupid bitch');
  const log = await logOf(admin, stranger);
  expect(new Map(log.map((each) => [each.flagged_content, each.action_taken]))).toEqual(
    new Map([
      ['Have a medlar', 'blocked'],
      ['Have a quince', 'blocked'],
      ['You stupid bitch', 'flagged'],
    ]),
  );
});

test('reports more than 1,000 pending reviews as 1,000+', async () => {
  const row = {
    message_id: null,
    content_type: null,
    content_id: null,
    user_id: member.user.id,
    moderation_type: 'rule' as const,
    flagged_content: 'x',
    rule_triggered: 'x',
    severity: 'high' as const,
    action_taken: 'flagged' as const,
    warning_type: null,
    reason: null,
    admin_user_id: null,
    created_at: new Date(),
    review: 'pending' as const,
  };
  const waiting = Array.from({ length: 1_002 }, (_, i) => ({ ...row, _id: `waiting ${i}` }));
  const log = api.db.collection<LogRow>('moderation_log');
  await log.insertMany(waiting);
  const { pending_reviews } = await admin.call(listLog);
  expect(countWords(pending_reviews)).toBe('1,000+');
  expect(countWords(999)).toBe('999');
  await log.deleteMany({ _id: { $regex: '^waiting' } });
});

describe('guidelines', () => {
  test('has one default guideline for each category, in order', async () => {
    const { guidelines } = await member.call(listGuidelines);
    expect(guidelines.map(({ guideline_category }) => guideline_category)).toEqual(
      guidelineCategory.options,
    );
    for (const { title, description, examples, consequences } of guidelines) {
      expect(examples.length).toBeGreaterThan(1);
      for (const words of [title, description, consequences, ...examples])
        expect(words.length).toBeGreaterThan(5);
    }
  });

  test('admins edit guidelines, and an outdated version is rejected', async () => {
    const fields = {
      guideline_category: 'spam_prevention' as const,
      title: 'No chain letters',
      description: 'They bore people.',
      examples: ['Send this to ten friends'],
      consequences: 'A warning.',
      is_active: true,
    };
    const asked = { body: fields, idempotencyKey: 'guideline' };
    const made = (await admin.call(createGuideline, asked)).guideline;
    await forgetAnswers();
    expect((await admin.call(createGuideline, asked)).guideline).toEqual(made);
    expect((await member.call(listGuidelines)).guidelines.at(-1)?.title).toBe('No chain letters');
    const params = { id: made.id };
    const off = { ...fields, is_active: false, version: 0 };
    const { guideline } = await admin.call(updateGuideline, { params, body: off });
    expect(guideline).toMatchObject({ is_active: false, version: 1 });
    expect((await member.call(listGuidelines)).guidelines.map(({ id }) => id)).not.toContain(
      made.id,
    );
    expect((await admin.call(listAllGuidelines)).guidelines).toContainEqual(guideline);
    await expectRefused(admin.call(updateGuideline, { params, body: off }), 409, EDITED);
    await expectRefused(admin.call(updateGuideline, { params: { id: 'none' }, body: off }), 404, {
      error: 'Guideline not found',
    });
    await expectRefused(admin.call(createGuideline, { body: { ...fields, title: '' } }), 400, {
      fields: { title: 'Required' },
    });
    const { entries } = await admin.call(auditLog, { query: { subject_id: made.id } });
    // The repeat is audited too, since the audit entry comes before the write.
    expect(entries.map(({ act }) => act)).toEqual([
      'guideline.update',
      'guideline.create',
      'guideline.create',
    ]);
  });
});
