import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { deleteAccount, DELETION_WORDS } from '#shared/account/contract.ts';
import { createBlock } from '#shared/blocks/contract.ts';
import { listDrafts, NOT_FRIENDS, saveDraft } from '#shared/chat/contract.ts';
import { readDrafts } from '#shared/chat/drafts.ts';
import { deleteFriend } from '#shared/friends/contract.ts';
import { unzip } from '../../account/unzip.ts';
import { startTestApi, type TestApi, type TestPerson } from '../../api.ts';
import { listen } from '../../events/listen.ts';
import { expectRefused } from '../../refusals.ts';
import { createMember, friends } from '../talk.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

async function save(
  { call }: TestPerson,
  friend: TestPerson,
  text: string,
  base_version = 0,
  drops_copy = false,
) {
  const body = { text, base_version, drops_copy };
  return (await call(saveDraft, { params: { friendUserId: friend.user.id }, body })).draft;
}
const draftsOf = async ({ call }: TestPerson) => (await call(listDrafts)).drafts;

test('a draft has one latest text per friend, and none once it is empty', async () => {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  const first = await save(alex, sam, 'Shall we');
  const second = await save(alex, sam, 'Shall we walk', first.version);
  expect(second).toMatchObject({ text: 'Shall we walk', copy: null });
  expect(second.version).toBeGreaterThan(first.version);
  expect(await draftsOf(alex)).toEqual([second]);
  expect(await draftsOf(sam)).toEqual([]);
  await save(alex, sam, '', second.version);
  expect(await draftsOf(alex)).toEqual([]);
  expect(await api.db.collection('drafts').countDocuments({ user_id: alex.user.id })).toBe(0);
});

test('of two drafts that were written offline, the later one to arrive is shown and the other one is kept until the author decides', async () => {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  await save(alex, sam, 'From the phone');
  const both = await save(alex, sam, 'From the tablet');
  expect(both).toMatchObject({ text: 'From the tablet', copy: 'From the phone' });
  // Typing goes on without a decision.
  const longer = await save(alex, sam, 'From the tablet!', both.version);
  expect(longer).toMatchObject({ copy: 'From the phone' });
  const decided = await save(alex, sam, 'From the phone', longer.version, true);
  expect(decided).toMatchObject({ text: 'From the phone', copy: null });
});

test('a device that only has the beginning of a text, or removed an earlier one, takes nothing away', async () => {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  const whole = await save(alex, sam, 'See you there');
  expect(await save(alex, sam, 'See you')).toEqual(whole);
  expect(await save(alex, sam, '')).toEqual(whole);
  expect(await save(alex, sam, 'See you there at ten')).toMatchObject({ copy: null });
});

test('simultaneous changes of two devices lose neither text', async () => {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  await Promise.all([save(alex, sam, 'One'), save(alex, sam, 'Two')]);
  const [draft] = await draftsOf(alex);
  expect(new Set([draft?.text, draft?.copy])).toEqual(new Set(['One', 'Two']));
});

test('the author’s other devices are told, without the text', async () => {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  const stream = await listen(api.origin, alex);
  try {
    const told = stream.next('drafts');
    await save(alex, sam, 'Hello');
    expect(await told).toEqual({ type: 'drafts' });
  } finally {
    stream.close();
  }
});

test('drafts are exported, and go with either account', async () => {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  await save(alex, sam, 'Not sent yet');
  await save(sam, alex, 'Not mine');
  const archive = await alex.jar.fetch(`${api.origin}/api/account/export`);
  const files = unzip(Buffer.from(await archive.arrayBuffer()));
  const exported = files.get('drafts.json')?.toString() ?? '';
  expect(exported).toContain('Not sent yet');
  expect(exported).not.toContain('Not mine');
  await alex.call(deleteAccount, { body: { confirmation: DELETION_WORDS } });
  await expect.poll(() => draftsOf(sam)).toEqual([]);
  expect(await api.db.collection('drafts').countDocuments({ user_id: alex.user.id })).toBe(0);
});

test('a draft stays after an unfriending, and is not extended', async () => {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  const draft = await save(alex, sam, 'Hello');
  await sam.call(deleteFriend, { params: { friendUserId: alex.user.id } });
  expect(await draftsOf(alex)).toEqual([draft]);
  await expectRefused(save(alex, sam, 'Hello again', draft.version), 404, { error: NOT_FRIENDS });
  await save(alex, sam, '', draft.version);
  expect(await draftsOf(alex)).toEqual([]);
});

test('a block removes the draft of the one who blocks, wherever it is, and not the other one', async () => {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  const draft = await save(alex, sam, 'Hello');
  await save(sam, alex, 'Hi');
  await api.change(sam.user.documents.account, 'draft.set', {
    friend_user_id: alex.user.id,
    text: 'By a former app',
    at: new Date().toISOString(),
  });
  await sam.call(createBlock, { body: { blocked_user_id: alex.user.id } });
  expect(await draftsOf(sam)).toEqual([]);
  expect(readDrafts(await api.document(sam.user.documents.account))).toEqual({});
  expect(await draftsOf(alex)).toEqual([draft]);
});

test('a draft to a stranger does not exist', async () => {
  const [alex, stranger] = [await createMember(api, 'Alex'), await createMember(api, 'Kim')];
  await expectRefused(save(alex, stranger, 'Hello'), 404, { error: NOT_FRIENDS });
});
