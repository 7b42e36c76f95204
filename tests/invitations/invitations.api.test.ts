import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { validateCode } from '#shared/access-gate/contract.ts';
import { deleteAccount, exportAccount } from '#shared/account/contract.ts';
import { createBlock } from '#shared/blocks/contract.ts';
import { createFriendRequest } from '#shared/friends/contract.ts';
import {
  CODE_UNKNOWN,
  createInvitation,
  listInvitations,
  openInvitation,
  resendInvitation,
  revokeInvitation,
  searchUsers,
  type SearchInvitation,
} from '#shared/invitations/contract.ts';
import { readInvitations } from '#shared/invitations/document.ts';
import { SEARCH_RESULTS_MAX } from '#shared/invitations/rules.ts';
import { getInvitation, getReferralStats } from '#shared/referrals/contract.ts';
import type { SearchInvitationRow } from '../../api/features/invitations/collections.ts';
import type { SandboxSentRow } from '../../api/platform/mail-queue/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeProfile } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

let count = 0;
/** Creates a user with a profile. */
async function person(name: string): Promise<TestPerson> {
  const someone = await api.as(`person.${++count}@example.com`);
  await makeProfile(someone, { display_name: name });
  return someone;
}
/** Returns a name that shares no word with other names in these tests. */
const uniqueName = () => `Q${Math.random().toString(36).slice(2, 12)}`;
const invite = async (
  by: TestPerson,
  invited_email = `friend.${++count}@example.com`,
  expires_in_days?: number,
) =>
  (
    await by.call(createInvitation, {
      body: { invited_email, ...(expires_in_days && { expires_in_days }) },
    })
  ).invitation;
const codeOf = async (by: TestPerson) => (await invite(by)).invitation_code;
const search = (by: TestPerson, query: string, invitation_code: string) =>
  by.call(searchUsers, { body: { query, invitation_code } });
const namesFound = async (by: TestPerson, query: string, code: string) =>
  (await search(by, query, code)).users.map(({ display_name }) => display_name);
const rows = () => api.db.collection<SearchInvitationRow>('search_invitations');
const expire = ({ id }: SearchInvitation) =>
  rows().updateOne({ _id: id }, { $set: { expires_at: new Date(Date.now() - 1) } });
const synced = async ({ user }: TestPerson) =>
  readInvitations(await api.document(user.documents.contacts));
const refusal = {
  error: CODE_UNKNOWN,
  code: 'invalid_code',
  fields: { invitation_code: CODE_UNKNOWN },
};

describe('an invitation to search', () => {
  test('an invitation has an eight-character code and expires after seven days by default', async () => {
    const alex = await person('Alex');
    const invitation = await invite(alex, ' Kim@Example.COM ');
    expect(invitation).toEqual({
      id: expect.any(String) as string,
      inviter_user_id: alex.user.id,
      invited_email: 'kim@example.com',
      invitation_code: expect.stringMatching(/^[A-Z0-9]{8}$/) as string,
      is_used: false,
      expires_at: expect.any(String) as string,
      created_at: expect.any(String) as string,
      delivery: 'waiting',
      admits: true,
    });
    const days = ({ expires_at, created_at }: SearchInvitation) =>
      (Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000;
    expect(days(invitation)).toBe(7);
    for (const wanted of [1, 3, 14, 30])
      expect(days(await invite(alex, undefined, wanted))).toBe(wanted);
    expect(
      new Set((await alex.call(listInvitations)).invitations.map((each) => each.invitation_code))
        .size,
    ).toBe(5);
  });

  test('emails an invitation with its code and an unsubscribe link', async () => {
    const alex = await person('Alex <b> https://evil.example');
    const invitation = await invite(alex, 'letter@example.com');
    const email = await vi.waitFor(async () => {
      const row = await api.db
        .collection<SandboxSentRow>('sandbox_sent')
        .findOne({ _id: `search_invitations ${invitation.id}` });
      if (row?.message.channel !== 'email') throw new Error('not sent yet');
      return row.message;
    });
    expect(email.to).toBe('letter@example.com');
    expect(email.subject).toBe('You’re invited to find friends on Leashwise');
    expect(email.text).toContain('\n> Alex <b> https: //evil. example\n');
    for (const body of [email.text, email.html]) {
      expect(body).toContain(invitation.invitation_code);
      expect(body).toContain(`http://localhost:3000/?ref=${invitation.id}`);
      expect(body).toContain(email.unsubscribe_url);
      expect(body).not.toContain('evil.example');
    }
    expect(email.html).not.toContain('<b>');
    await vi.waitFor(async () =>
      expect((await alex.call(listInvitations)).invitations[0]?.delivery).toBe('sent'),
    );
  });

  test('creates an invitation without an email after too many to one address', async () => {
    const alex = await person('Alex');
    const addressed = 'enough@example.com';
    const deliveries: SearchInvitation['delivery'][] = [];
    await api.withLimits(1, async () => {
      for (let i = 0; i < 4; i++) deliveries.push((await invite(alex, addressed)).delivery);
    });
    expect(deliveries).toEqual(['waiting', 'waiting', 'waiting', null]);
  });

  test('lists invitations to their creator only, newest first', async () => {
    const [alex, sam] = [await person('Alex'), await person('Sam')];
    const first = await invite(alex);
    const second = await invite(alex);
    expect((await alex.call(listInvitations)).invitations.map(({ id }) => id)).toEqual([
      second.id,
      first.id,
    ]);
    expect((await sam.call(listInvitations)).invitations).toEqual([]);
  });

  test('a revoked invitation finds no one, and leaves all lists', async () => {
    const [alex, kim] = [await person('Alex'), await person('Kim')];
    const { id, invitation_code } = await invite(alex);
    await expectRefused(kim.call(revokeInvitation, { params: { id } }), 404);
    await alex.call(revokeInvitation, { params: { id } });
    await expectRefused(search(kim, 'Alex', invitation_code), 400, refusal);
    expect((await alex.call(listInvitations)).invitations).toEqual([]);
    expect(await synced(alex)).toEqual([]);
    await expectRefused(alex.call(revokeInvitation, { params: { id } }), 404);
  });

  test('a revocation that the sync server missed is finished later', async () => {
    const [alex, kim] = [await person('Alex'), await person('Kim')];
    const { id, invitation_code } = await invite(alex);
    await api.stopSync();
    await expectRefused(alex.call(revokeInvitation, { params: { id } }), 503);
    await expectRefused(search(kim, 'Alex', invitation_code), 400, refusal);
    await api.startSync();
    await api.runJobs();
    expect(await synced(alex)).toEqual([]);
    expect(await rows().countDocuments({ _id: id })).toBe(0);
  });

  test('emails an unused invitation again, up to the limit of its address', async () => {
    const [alex, kim] = [await person('Alex'), await person('Kim')];
    const to = `again.${++count}@example.com`;
    const { id, invitation_code } = await invite(alex, to);
    const again = () => alex.call(resendInvitation, { params: { id } });
    await expectRefused(kim.call(resendInvitation, { params: { id } }), 404);
    expect((await again()).invitation).toMatchObject({ id, delivery: 'waiting' });
    await again();
    const sent = await api.db.collection<SandboxSentRow>('sandbox_sent').countDocuments({ to });
    expect(sent).toBeLessThanOrEqual(3);
    await api.withLimits(1, async () => {
      for (let i = 0; i < 3; i++) await again();
      await expectRefused(again(), 409, { code: 'not_emailed' });
    });
    await search(kim, 'Alex', invitation_code);
    await expectRefused(again(), 404);
  });

  test('a repeated request creates one invitation', async () => {
    const alex = await person('Alex');
    const send = () =>
      alex.call(createInvitation, {
        body: { invited_email: 'once@example.com' },
        idempotencyKey: 'invitation-1',
      });
    const first = await send();
    expect(await send()).toEqual(first);
    // The response was lost before it was stored, for example by a crash.
    await api.db.collection('idempotency_keys').deleteMany({});
    expect((await send()).invitation.invitation_code).toBe(first.invitation.invitation_code);
    expect((await alex.call(listInvitations)).invitations).toHaveLength(1);
  });

  test.each([
    [{}, { invited_email: 'Required' }],
    [{ invited_email: '' }, { invited_email: 'Required' }],
    [{ invited_email: 'kim' }, { invited_email: 'Invalid email' }],
    [{ invited_email: 'a@b.example', expires_in_days: 0 }, { expires_in_days: 'Invalid input' }],
    [{ invited_email: 'a@b.example', expires_in_days: 31 }, { expires_in_days: 'Invalid input' }],
    [{ invited_email: 'a@b.example', expires_in_days: 1.5 }, { expires_in_days: 'Invalid input' }],
  ])('refuses an invitation with %o', async (body, fields) => {
    const alex = await person('Alex');
    await expectRefused(alex.call(createInvitation, { body }), 400, { fields });
  });

  test('deleting an account deletes its invitations and removes it from those of others', async () => {
    const [alex, sam] = [await person('Alex'), await person('Sam')];
    const toSam = await invite(alex, sam.user.email);
    await search(sam, 'zz', toSam.invitation_code);
    await invite(sam);
    await sam.call(deleteAccount, { body: { confirmation: 'delete my account' } });
    expect(await rows().countDocuments({ inviter_user_id: sam.user.id })).toBe(0);
    await vi.waitFor(async () =>
      expect(await rows().findOne({ _id: toSam.id })).toMatchObject({
        invited_email: null,
        used_by_user_id: null,
        used_at: expect.any(Date) as Date,
      }),
    );
    await expectRefused(search(await person('Eve'), 'zz', toSam.invitation_code), 400, refusal);
  });
});

describe('the link of an invitation', () => {
  const share = async (by: TestPerson) =>
    (await by.call(createInvitation, { body: { by_link: true } })).invitation;
  const open = (by: TestPerson, invitation_code: string) =>
    by.call(openInvitation, { body: { invitation_code } });

  test('lets one new person in, who is then said to have used it', async () => {
    const alex = await person('Alex');
    const { id, invitation_code, admits, ...rest } = await share(alex);
    expect({ admits, ...rest }).toMatchObject({
      admits: true,
      invited_email: null,
      delivery: null,
    });
    const before = await alex.call(listInvitations);
    expect(before).toMatchObject({ codes_left: 4, codes_per_month: 5 });
    const { access_code } = await api.visitor().call(getInvitation, { params: { ref: id } });
    const newcomer = await api.as('by.link@example.com', { access: false });
    await newcomer.call(validateCode, { body: { code: access_code } });
    const [used] = (await alex.call(listInvitations)).invitations;
    expect(used).toMatchObject({ id, is_used: true, admits: false });
    expect(await synced(alex)).toMatchObject([{ id, is_used: true }]);
    expect((await alex.call(getReferralStats)).successful_referrals).toBe(1);
    await expectRefused(open(await person('Kim'), invitation_code), 400, refusal);
  });

  test('leads a member to who made it, and no other one then', async () => {
    const [alex, kim] = [await person('Alex'), await person('Kim')];
    const { invitation_code } = await share(alex);
    expect((await open(kim, invitation_code)).user).toMatchObject({
      user_id: alex.user.id,
      display_name: 'Alex',
      is_friend: false,
    });
    expect(await synced(alex)).toMatchObject([{ is_used: true }]);
    await open(kim, invitation_code);
    await expectRefused(open(await person('Sam'), invitation_code), 400, refusal);
    await expectRefused(open(alex, invitation_code), 400, { code: 'invalid_code' });
  });

  test('lets nobody new in once a member has opened it, and gives the access code back', async () => {
    const [alex, kim] = [await person('Alex'), await person('Kim')];
    const { id, invitation_code } = await share(alex);
    const { access_code: code } = await api.visitor().call(getInvitation, { params: { ref: id } });
    await open(kim, invitation_code);
    await expectRefused(api.visitor().call(getInvitation, { params: { ref: id } }), 404);
    await expectRefused(api.visitor().call(validateCode, { body: { code } }), 400, {
      code: 'invalid_code',
    });
    const { codes_left, invitations } = await alex.call(listInvitations);
    expect(codes_left).toBe(5);
    expect(invitations).toMatchObject([{ id, is_used: true, admits: false }]);
    expect((await alex.call(getReferralStats)).total_referrals).toBe(0);
  });

  test('counts somebody new who has used the access code before a member opens it', async () => {
    const alex = await person('Alex');
    const { id, invitation_code } = await share(alex);
    const { access_code: code } = await api.visitor().call(getInvitation, { params: { ref: id } });
    const newcomer = api.visitor();
    await newcomer.call(validateCode, { body: { code } });
    await open(await person('Kim'), invitation_code);
    const stats = await alex.call(getReferralStats);
    expect(stats).toMatchObject({ total_referrals: 1, codes_left: 4 });
  });

  test('lets no one in once it is revoked, and gives the access code back', async () => {
    const alex = await person('Alex');
    const { id } = await share(alex);
    const { access_code: code } = await api.visitor().call(getInvitation, { params: { ref: id } });
    await alex.call(revokeInvitation, { params: { id } });
    await expectRefused(api.visitor().call(getInvitation, { params: { ref: id } }), 404);
    await expectRefused(api.visitor().call(validateCode, { body: { code } }), 400, {
      code: 'invalid_code',
    });
    expect((await alex.call(listInvitations)).codes_left).toBe(5);
  });

  test('leads members only once the codes of the month are used up', async () => {
    const alex = await person('Alex');
    for (let i = 0; i < 5; i++) expect((await share(alex)).admits).toBe(true);
    const { id, admits, invitation_code } = await share(alex);
    expect(admits).toBe(false);
    await expectRefused(api.visitor().call(getInvitation, { params: { ref: id } }), 404);
    expect((await open(await person('Kim'), invitation_code)).user.user_id).toBe(alex.user.id);
  });
});

describe('searching for members', () => {
  test('finds members by prefixes of their names, ignoring case and accents', async () => {
    const [first, last] = [uniqueName(), uniqueName()];
    const alex = await person('Alex');
    const code = await codeOf(await person('Host'));
    await person(`${first}ë ${last}`);
    for (const query of [
      first,
      first.toLowerCase().slice(0, 6),
      last.toUpperCase(),
      ` ${last.slice(0, 8)} ${first.slice(0, 8)} `,
      `${first}e`,
      // Not a pattern: only its letters count.
      `${first}.*`,
    ])
      expect(await namesFound(alex, query, code)).toEqual([`${first}ë ${last}`]);
    for (const query of [first.slice(1), `${first} ${uniqueName()}`])
      expect(await namesFound(alex, query, code)).toEqual([]);
  });

  test('a search term must match a single word of a name', async () => {
    const alex = await person('Alex');
    const code = await codeOf(await person('Host'));
    const name = `Aaa${uniqueName()} Zzz${uniqueName()}`;
    await person(name);
    expect(await namesFound(alex, 'mmm', code)).not.toContain(name);
  });

  test('search results show friends, pending requests, and blocked users', async () => {
    const word = uniqueName();
    const me = await person('Me');
    const code = await codeOf(await person('Host'));
    const [friend, asked, asking, blocked, stranger] = [
      await person(`${word} A`),
      await person(`${word} B`),
      await person(`${word} C`),
      await person(`${word} D`),
      await person(`${word} E`),
    ];
    const ask = (one: TestPerson, other: TestPerson) =>
      one.call(createFriendRequest, { body: { receiver_user_id: other.user.id } });
    await ask(me, friend);
    await ask(friend, me);
    await ask(me, asked);
    await ask(asking, me);
    await me.call(createBlock, { body: { blocked_user_id: blocked.user.id } });
    const none = { is_friend: false, has_pending_request: false, is_blocked: false };
    const shown = (of: TestPerson, name: string) => ({
      user_id: of.user.id,
      display_name: `${word} ${name}`,
      ...none,
    });
    expect(await search(me, word, code)).toEqual({
      users: [
        { ...shown(friend, 'A'), is_friend: true },
        { ...shown(asked, 'B'), has_pending_request: true },
        { ...shown(asking, 'C'), has_pending_request: true },
        { ...shown(blocked, 'D'), is_blocked: true },
        shown(stranger, 'E'),
      ],
      has_more: false,
    });
  });

  test('a search never finds the searcher, blockers, or deleted accounts', async () => {
    const word = uniqueName();
    const me = await person(word);
    const [blocker, leaver] = [await person(`${word} Blocker`), await person(`${word} Leaver`)];
    const code = await codeOf(await person('Host'));
    expect(await namesFound(me, word, code)).toEqual([`${word} Blocker`, `${word} Leaver`]);
    await blocker.call(createBlock, { body: { blocked_user_id: me.user.id } });
    await leaver.call(deleteAccount, { body: { confirmation: 'delete my account' } });
    expect(await namesFound(me, word, code)).toEqual([]);
  });

  test('limits the results of a search, and the people found and searches made per period', async () => {
    const word = uniqueName().toLowerCase();
    const cards = Array.from({ length: SEARCH_RESULTS_MAX + 5 }, (_, i) => ({
      _id: `${word}-${i}`,
      display_name: `${word} ${i}`,
      name_words: [word, String(i)],
      dogs: [],
    }));
    await api.db.collection<{ _id: string }>('cards').insertMany(cards);
    await api.db
      .collection<{ _id: string; identity: string }>('users')
      .insertMany(cards.map(({ _id }) => ({ _id, identity: _id, given_name: 'Made up' })));
    const me = await person('Me');
    const code = await codeOf(await person('Host'));
    // The limits are forty people a day and three searches in five minutes.
    await api.withLimits(0.1, async () => {
      for (let i = 0; i < 2; i++) {
        const { users, has_more } = await search(me, word, code);
        expect([users.length, has_more]).toEqual([SEARCH_RESULTS_MAX, true]);
      }
      await expectRefused(search(me, word, code), 429);
    });
  });

  test('searches names with an index', async () => {
    const plan = await api.db
      .collection('cards')
      .find({ $and: [{ name_words: { $elemMatch: { $gte: 'al', $lt: 'al\uffff' } } }] })
      .explain();
    expect(JSON.stringify(plan)).toContain('"indexName":"name_words_1"');
    expect(JSON.stringify(plan)).not.toContain('COLLSCAN');
  });

  const required = 'Search invitation code is required to find new users';
  const shape = 'Search codes have 8 letters or digits (A–Z, 0–9)';
  test.each<[object, Record<string, string>]>([
    [{}, { query: 'Please enter a search term', invitation_code: required }],
    [
      { query: ' ', invitation_code: ' ' },
      { query: 'Please enter a search term', invitation_code: required },
    ],
    ...['a', 'a.', 'a a', '!!'].map((query): [object, Record<string, string>] => [
      { query, invitation_code: 'ABCD1234' },
      { query: 'Please enter at least 2 characters' },
    ]),
    [
      { query: 'a'.repeat(51), invitation_code: 'ABCD1234' },
      { query: 'Please enter at most 50 characters' },
    ],
    [{ query: 'al', invitation_code: 'ABCD123' }, { invitation_code: shape }],
    [{ query: 'al', invitation_code: 'ABCD-234' }, { invitation_code: shape }],
  ])('refuses a search with %o', async (body, fields) => {
    await expectRefused((await person('Me')).call(searchUsers, { body: body as never }), 400, {
      fields,
    });
  });
});

describe('an invitation code', () => {
  test('the first search claims a code for the searcher and marks it as used', async () => {
    const [host, me, other] = [await person('Host'), await person('Me'), await person('Other')];
    const { invitation_code: code } = await invite(host);
    await search(me, 'zz', code.toLowerCase());
    await search(me, 'zz', ` ${code} `);
    await expectRefused(search(other, 'zz', code), 400, refusal);
    expect((await host.call(listInvitations)).invitations[0]?.is_used).toBe(true);
  });

  test('a code used concurrently works for one user only', async () => {
    const code = await codeOf(await person('Host'));
    const crowd = await Promise.all(['A', 'B', 'C', 'D'].map(person));
    const tries = await Promise.allSettled(crowd.map((each) => search(each, 'zz', code)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('refuses unknown, expired, blocked, and orphaned codes with the same error', async () => {
    const me = await person('Me');
    await expectRefused(search(me, 'zz', 'AAAAAAAA'), 400, refusal);
    const host = await person('Host');
    const over = await invite(host);
    await search(me, 'zz', over.invitation_code);
    await expire(over);
    await expectRefused(search(me, 'zz', over.invitation_code), 400, refusal);
    const code = await codeOf(host);
    await host.call(createBlock, { body: { blocked_user_id: me.user.id } });
    await expectRefused(search(me, 'zz', code), 400, refusal);
    const leaver = await person('Gone');
    const left = await codeOf(leaver);
    await leaver.call(deleteAccount, { body: { confirmation: 'delete my account' } });
    await expectRefused(search(me, 'zz', left), 400, refusal);
  });

  test.each([
    ['access is over', { access_expires_at: new Date(0) }],
    ['account is suspended', { suspended_until: new Date(Date.now() + 3_600_000) }],
  ])('refuses a code of a member whose %s', async (_what, change) => {
    const [host, me] = [await person('Host'), await person('Me')];
    const code = await codeOf(host);
    await api.db
      .collection<{ _id: string }>('users')
      .updateOne({ _id: host.user.id }, { $set: change });
    await expectRefused(search(me, 'zz', code), 400, refusal);
  });

  test('refuses a code of one’s own', async () => {
    const host = await person('Host');
    const words = 'You can’t use your own search code';
    await expectRefused(search(host, 'zz', await codeOf(host)), 400, {
      error: words,
      fields: { invitation_code: words },
    });
  });

  test('allows ten guesses an hour, then refuses even the correct code', async () => {
    const [host, me] = [await person('Host'), await person('Me')];
    const code = await codeOf(host);
    await api.withLimits(1, async () => {
      for (let i = 0; i < 10; i++)
        await expectRefused(search(me, 'zz', `WRONG00${i}`), 400, refusal);
      await expectRefused(search(me, 'zz', 'WRONG0XX'), 429);
      await expectRefused(search(me, 'zz', code), 429);
    });
  });
});

describe('invitations in the contacts document', () => {
  test('an invitation and its use are there, but no address ever was', async () => {
    const [host, me] = [await person('Host'), await person('Me')];
    const { id, invitation_code, created_at, expires_at } = await invite(host, 'Who@Example.com');
    const entry = {
      id,
      code: invitation_code,
      created_at,
      expires_at,
      is_used: false,
      is_emailed: true,
    };
    expect(await synced(host)).toEqual([entry]);
    await search(me, 'zz', invitation_code);
    expect(await synced(host)).toEqual([{ ...entry, is_used: true }]);
    expect(await synced(me)).toEqual([]);
    expect(JSON.stringify(await api.document(host.user.documents.contacts))).not.toMatch(/who@/i);
  });

  test('what the sync server missed is there when it is back', async () => {
    const [host, me] = [await person('Host'), await person('Me')];
    const used = await invite(host);
    await api.stopSync();
    const [late] = await Promise.all([invite(host), search(me, 'zz', used.invitation_code)]);
    await api.startSync();
    await api.runJobs();
    await expect
      .poll(async () => (await synced(host))?.map(({ id, is_used }) => [id, is_used]))
      .toEqual([
        [late.id, false],
        [used.id, true],
      ]);
  });

  test('invitations from before documents had them are added, and those that are deleted are removed', async () => {
    const host = await person('Host');
    const [old, over] = [await invite(host), await invite(host)];
    const contacts = host.user.documents.contacts;
    await api.change(contacts, 'invitation.remove', { id: old.id });
    await rows().updateOne({ _id: old.id }, { $unset: { is_projected: '' } });
    const days = 91 * 86_400_000;
    await rows().updateOne({ _id: over.id }, { $set: { expires_at: new Date(Date.now() - days) } });
    expect((await synced(host))?.map(({ id }) => id)).toEqual([over.id]);
    await api.runJobs();
    await expect.poll(async () => (await synced(host))?.map(({ id }) => id)).toEqual([old.id]);
    expect((await host.call(listInvitations)).invitations.map(({ id }) => id)).toEqual([old.id]);
  });
});

test('exports the invitations that a user created', async () => {
  const alex = await person('Alex');
  const { invitation_code } = await invite(alex);
  const response = await alex.jar.fetch(`${api.origin}/api${exportAccount.path}`);
  expect(Buffer.from(await response.arrayBuffer()).includes(invitation_code)).toBe(true);
});
