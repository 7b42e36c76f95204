import { ImmutableString } from '@automerge/automerge';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { getReport, issueWarning, liftWarning } from '#shared/moderation/admin-contract.ts';
import { reportMessage } from '#shared/moderation/contract.ts';
import { createRule } from '#shared/moderation/rules-contract.ts';
import { NO_TIME } from '../../client/platform/sync/state/document-state.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { closeDevices, deviceOf, stubBrowser, type ChatDevice } from '../chat/device.ts';
import { friends, say, threadsOf } from '../chat/talk.ts';

vi.setConfig({ testTimeout: 60_000 });
const soon = { timeout: 30_000 };

let api: TestApi;
let admin: TestPerson;
beforeAll(async () => {
  stubBrowser();
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
  await admin.call(createRule, {
    body: {
      rule_type: 'word',
      rule_name: 'Made up',
      rule_pattern: 'zorkblock',
      severity: 'critical',
      action: 'block',
    },
  });
});
afterAll(() => api.close());
afterEach(closeDevices);

/** Two friends with one device each and their thread open. */
async function talking() {
  const [wolf, ann] = await friends(api, 'Wolf', 'Ann');
  const [wolfs, anns] = await Promise.all([deviceOf(api, wolf), deviceOf(api, ann)]);
  const isReady = (device: ChatDevice, friend: TestPerson) => () =>
    device.threads.get(friend.user.id)?.getView().isReady === true;
  await expect.poll(isReady(wolfs, ann), soon).toBe(true);
  await expect.poll(isReady(anns, wolf), soon).toBe(true);
  return { wolf, ann, wolfs, anns };
}

test('removes an unfiltered message with a blocked word from both devices, and the thread continues', async () => {
  const { wolf, ann, wolfs, anns } = await talking();
  wolfs.send(ann, 'hello');
  await expect.poll(() => anns.texts(wolf), soon).toEqual(['hello']);
  wolfs.send(ann, 'zorkblock yourself');
  await expect.poll(() => wolfs.texts(ann), soon).toEqual(['hello']);
  await expect.poll(() => anns.texts(wolf), soon).toEqual(['hello']);
  await expect.poll(() => wolfs.threads.get(ann.user.id)?.getView().isReady, soon).toBe(true);
  wolfs.send(ann, 'and on');
  anns.send(wolf, 'well');
  await expect.poll(() => anns.texts(wolf).toSorted(), soon).toEqual(['and on', 'hello', 'well']);
  await expect.poll(() => wolfs.texts(ann).toSorted(), soon).toEqual(['and on', 'hello', 'well']);
});

test('rejects messages that a restricted device syncs until the restriction is lifted', async () => {
  const { wolf, ann, wolfs, anns } = await talking();
  const { warning } = await admin.call(issueWarning, {
    body: {
      user_id: wolf.user.id,
      warning_type: 'restriction',
      severity: 'moderate',
      reason: 'Enough.',
    },
  });
  await expect.poll(() => wolfs.threads.get(ann.user.id)?.getView().isFrozen, soon).toBe(true);
  expect(() => wolfs.send(ann, 'honest')).toThrow();
  const [thread] = await threadsOf(api, wolf);
  const segment = await wolfs.segment(thread?.segments[0]?.mine ?? '');
  segment.change((doc) => {
    doc.messages['lie'] = {
      seq: 50,
      device: new ImmutableString('liar'),
      at: new ImmutableString(new Date().toISOString()),
      text: new ImmutableString('let me through'),
    };
  }, NO_TIME);
  // Once this message is there, the other one would have arrived too.
  await say(ann, wolf, 'still there?');
  await expect.poll(() => wolfs.texts(ann), soon).toContain('still there?');
  expect(anns.texts(wolf)).toEqual(['still there?']);
  const mine = { sender_user_id: wolf.user.id };
  expect(await api.db.collection('messages').countDocuments(mine)).toBe(0);

  const { id, version } = warning;
  await admin.call(liftWarning, { params: { id }, body: { version } });
  await expect.poll(() => wolfs.threads.get(ann.user.id)?.getView().isFrozen, soon).toBe(false);
  wolfs.send(ann, 'free again');
  await expect.poll(() => anns.texts(wolf), soon).toContain('free again');
});

test('a report has both wordings of a message that a device changed', async () => {
  const { wolf, ann, wolfs, anns } = await talking();
  wolfs.send(ann, 'something vile');
  await expect.poll(() => anns.texts(wolf), soon).toEqual(['something vile']);
  const [thread] = await threadsOf(api, wolf);
  const segment = await wolfs.segment(thread?.segments[0]?.mine ?? '');
  const reword = (words: string) =>
    segment.change((doc) => {
      for (const message of Object.values(doc.messages)) message.text = new ImmutableString(words);
    }, NO_TIME);
  reword('something kind');
  await expect.poll(() => anns.texts(wolf), soon).toEqual(['something kind']);
  const [row] = anns.shown(wolf);
  const stored = api.db.collection('messages');
  await expect
    .poll(() => stored.countDocuments({ _id: row?.id as never, text: 'something kind' }), soon)
    .toBe(1);
  const { report } = await ann.call(reportMessage, {
    body: {
      reported_user_id: wolf.user.id,
      message_id: row?.id ?? '',
      report_type: 'harassment',
      description: 'It said something else before.',
    },
  });
  const { evidence } = await admin.call(getReport, { params: { id: report.id } });
  expect(evidence.messages).toMatchObject([
    { message_text: 'something kind', former_texts: ['something vile'] },
  ]);
});
