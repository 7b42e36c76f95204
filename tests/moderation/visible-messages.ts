import { listMessages } from '#shared/chat/contract.ts';
import { readSegment } from '#shared/chat/document.ts';
import { readHidden } from '#shared/chat/threads.ts';
import { createRule, listLog, type RuleAction } from '#shared/moderation/rules-contract.ts';
import type { ModerationSeverity } from '#shared/moderation/rules.ts';
import type { TestApi, TestPerson } from '../api.ts';
import { threadsOf } from '../chat/talk.ts';

/** The texts of a thread as the calls return them to the person. */
export async function seenBy(person: TestPerson, friend: TestPerson): Promise<string[]> {
  const params = { friendUserId: friend.user.id };
  const { messages } = await person.call(listMessages, { params, query: {} });
  return messages.map(({ message_text }) => message_text);
}

/** The texts in the friend's segment document, which the person may read. */
export async function readableBy(api: TestApi, person: TestPerson): Promise<string[]> {
  const [thread] = await threadsOf(api, person);
  const segment = readSegment(await api.document(thread?.segments[0]?.theirs ?? ''));
  return segment.messages.map(({ text }) => text).toSorted();
}

/** The ids of messages that the person's devices hide. */
export const hiddenFrom = async (api: TestApi, { user }: TestPerson): Promise<string[]> => [
  ...readHidden(await api.document(user.documents.contacts)),
];

/** The entries of the moderation log about a person, newest first. */
export const logOf = async (admin: TestPerson, { user }: TestPerson) =>
  (await admin.call(listLog, { query: { user_id: user.id } })).entries;

/** The number of sanctions against a person. */
export const sanctionsOf = (api: TestApi, { user }: TestPerson): Promise<number> =>
  api.db.collection('user_warnings').countDocuments({ user_id: user.id });

/** Creates a rule for a word. A message that requires a review is held only if it is critical. */
export const addRule = (
  admin: TestPerson,
  rule_pattern: string,
  action: RuleAction,
  severity: ModerationSeverity = action === 'require_review' ? 'critical' : 'high',
) =>
  admin.call(createRule, {
    body: { rule_type: 'word', rule_name: rule_pattern, rule_pattern, severity, action },
  });
