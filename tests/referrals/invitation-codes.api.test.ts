import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { getAccess, validateCode } from '#shared/access-gate/contract.ts';
import { auditLog } from '#shared/admin/contract.ts';
import { getFriendLink } from '#shared/friend-links/contract.ts';
import { issueWarning } from '#shared/moderation/admin-contract.ts';
import { getInvitationPolicy, saveInvitationPolicy } from '#shared/referrals/admin-contract.ts';
import { createReferral, getInvitation, getReferralStats } from '#shared/referrals/contract.ts';
import { createSession, me } from '#shared/session/contract.ts';
import { codeFor, startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeProfile } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

const link = (person: TestPerson) =>
  person.call(createReferral, { body: { referral_method: 'link' } });

async function invitation(inviter: TestPerson): Promise<{ ref: string; code: string }> {
  const { referral } = await link(inviter);
  if (!referral.access_code) throw new Error('the invitation has no code');
  return { ref: referral.id, code: referral.access_code };
}

const enter = (person: Pick<TestPerson, 'call'>, code: string) =>
  person.call(validateCode, { body: { code } });

describe('an invitation', () => {
  test('names who invites, admits one new person, and both learn that it was used', async () => {
    const ann = await api.as('ann@example.com');
    await makeProfile(ann, { display_name: 'Ann' });
    const { ref, code } = await invitation(ann);
    expect(code).toMatch(/^[A-Z0-9-]{1,20}$/);
    const visitor = api.visitor();
    const shown = await visitor.call(getInvitation, { params: { ref } });
    expect(shown).toMatchObject({ inviter_name: 'Ann', access_code: code });
    expect(Object.keys(shown).toSorted()).toEqual([
      'access_code',
      'expires_at',
      'friend_token',
      'inviter_name',
    ]);
    expect(shown.friend_token).toBe((await ann.call(getFriendLink)).friend_link.token);
    await enter(visitor, code);
    expect((await ann.call(getReferralStats)).successful_referrals).toBe(0);

    const body = await codeFor(api.origin, visitor.call, 'ben@example.com');
    await visitor.call(createSession, { body });
    expect((await visitor.call(me)).has_access).toBe(true);
    const stats = await ann.call(getReferralStats);
    expect(stats.successful_referrals).toBe(1);
    expect(stats.recent_referrals[0]).toMatchObject({ id: ref, access_code: null });
    const sent = () => api.db.collection('sandbox_sent').find({ 'message.to': 'ann@example.com' });
    await expect.poll(async () => (await sent().toArray()).length).toBe(1);
    expect((await sent().toArray())[0]?.['message'].subject).toMatch(/joined Leashwise/);

    await expectRefused(api.visitor().call(getInvitation, { params: { ref } }), 404);
    await expectRefused(enter(api.visitor(), code), 400, { code: 'invalid_code' });
  });

  test('answers an unknown reference, a user id and an expired invitation alike', async () => {
    const ann = await api.as('alike@example.com');
    const { ref } = await invitation(ann);
    await api.db
      .collection<{ _id: string }>('access_codes')
      .updateOne({ _id: `referral ${ref}` }, { $set: { expires_at: new Date(0) } });
    for (const unknown of [ref, ann.user.id, 'no-such-invitation'])
      await expectRefused(api.visitor().call(getInvitation, { params: { ref: unknown } }), 404, {
        error: 'Invitation not found',
        code: 'not_found',
      });
  });

  test('renews nobody’s access, neither the inviter’s nor another member’s', async () => {
    const [ann, ben] = [await api.as('own@example.com'), await api.as('member@example.com')];
    const { ref, code } = await invitation(ann);
    for (const member of [ann, ben])
      await expectRefused(enter(member, code), 400, { code: 'invalid_code' });
    // Without a session the member is known only at the sign-in: then the use is given back.
    const visitor = api.visitor();
    await enter(visitor, code);
    const before = (await ben.call(me)).access_expires_at;
    const body = await codeFor(api.origin, visitor.call, 'member@example.com');
    await visitor.call(createSession, { body });
    expect((await visitor.call(me)).access_expires_at).toBe(before);
    await expect(api.visitor().call(getInvitation, { params: { ref } })).resolves.toBeTruthy();
    const newcomer = await api.as('newcomer@example.com', { access: false });
    await enter(newcomer, code);
    expect((await newcomer.call(getAccess)).state).toBe('active');
  });

  test('admits nobody while its inviter is restricted', async () => {
    const ann = await api.as('restricted@example.com');
    await makeProfile(ann);
    const { ref, code } = await invitation(ann);
    const admin = await api.asAdmin();
    await admin.call(issueWarning, {
      body: {
        user_id: ann.user.id,
        warning_type: 'restriction',
        severity: 'moderate',
        reason: 'Spam in messages.',
        days: 1,
      },
    });
    await expectRefused(api.visitor().call(getInvitation, { params: { ref } }), 404);
    await expectRefused(enter(api.visitor(), code), 400, { code: 'invalid_code' });
  });
});

describe('the policy', () => {
  test('gives each member as many codes a month as an admin says, also with parallel calls', async () => {
    const admin = await api.asAdmin();
    const { policy } = await admin.call(getInvitationPolicy);
    expect(policy.codes_per_month).toBe(5);
    const { version } = policy;
    await admin.call(saveInvitationPolicy, { body: { codes_per_month: 3, version } });
    await expectRefused(
      admin.call(saveInvitationPolicy, { body: { codes_per_month: 4, version } }),
      409,
    );
    await expectRefused(admin.call(saveInvitationPolicy, { body: { codes_per_month: -1 } }), 400);
    const ann = await api.as('many@example.com');
    const made = await Promise.all(Array.from({ length: 6 }, () => link(ann)));
    const codes = made.flatMap(({ referral }) => referral.access_code ?? []);
    expect(new Set(codes).size).toBe(3);
    expect(await ann.call(getReferralStats)).toMatchObject({ codes_per_month: 3, codes_left: 0 });
    const { entries } = await admin.call(auditLog, {
      query: { subject_kind: 'invitation-policy' },
    });
    expect(entries[0]).toMatchObject({
      before: { codes_per_month: 5 },
      after: { codes_per_month: 3 },
    });
  });
});
