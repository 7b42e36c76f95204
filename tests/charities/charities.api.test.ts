import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { deleteAccount, exportAccount } from '#shared/account/contract.ts';
import {
  charityAnalytics,
  editCharity,
  rejectCharity,
  updateCharity,
} from '#shared/charities/admin-contract.ts';
import {
  createCharity,
  createCharityDonation,
  listCharities,
  type Charity,
} from '#shared/charities/contract.ts';
import { RESERVED_NAME } from '#shared/profile/reserved-names.ts';
import type { UserRow } from '#shared/server/collections.ts';
import type { CharityRow } from '../../api/features/charities/collections.ts';
import { locateCharities } from '../../api/features/charities/near.ts';
import type { SandboxSentRow } from '../../api/platform/mail-queue/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import { apply, charityBody } from './made-charities.ts';

let api: TestApi;
let admin: TestPerson;
let member: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
  member = await api.as('member@example.com');
});
afterAll(() => api.close());

const rows = () => api.db.collection<CharityRow>('charities');
const rowOf = async (id: string): Promise<CharityRow> => {
  const row = await rows().findOne({ _id: id });
  if (!row) throw new Error('no such charity');
  return row;
};
const change = (id: string, body: { is_verified?: boolean; is_active?: boolean }) =>
  admin.call(updateCharity, { params: { id }, body });
const verified = async (overrides: Record<string, string> = {}, file: Blob | null = null) => {
  const id = await apply(api.call, overrides, file);
  await change(id, { is_verified: true });
  return id;
};
const list = async (query: { search?: string; sort?: 'name' | 'donations' | 'recent' } = {}) =>
  (await member.call(listCharities, { query })).charities;
const shown = async (id: string): Promise<Charity | undefined> =>
  (await list({ search: (await rowOf(id)).charity_name })).find((each) => each.id === id);
const donate = (by: TestPerson, charity_id: string) =>
  by.call(createCharityDonation, {
    body: { charity_id, amount_cents: 0, donation_type: 'external_link' },
  });
const emailTo = (cause: string, id: string) =>
  vi.waitFor(async () => {
    const row = await api.db
      .collection<SandboxSentRow>('sandbox_sent')
      .findOne({ _id: `charity_emails ${cause} ${id}` });
    if (row?.message.channel !== 'email') throw new Error('not sent yet');
    return row.message;
  });
const logo = async (format: 'png' | 'webp' = 'png') => {
  const made = sharp({ create: { width: 1600, height: 800, channels: 3, background: '#a05' } });
  return new Blob([new Uint8Array(await made.toFormat(format).toBuffer())]);
};

describe('the list of charities', () => {
  test('lists only active, verified charities', async () => {
    const id = await apply(api.call);
    expect(await shown(id)).toBeUndefined();
    await change(id, { is_verified: true });
    expect((await shown(id))?.is_verified).toBe(true);
    await change(id, { is_active: false });
    expect(await shown(id)).toBeUndefined();
    await change(id, { is_active: true });
    expect(await shown(id)).toBeDefined();
  });

  test('shows all fields of a charity except its contact', async () => {
    const fields = {
      charity_name: 'Shown Paws',
      phone: '+1 202 555 0100',
      website_url: 'https://paws.example',
      tax_id: '12-3456789',
      address: '1 Main Street',
      city: 'Springfield',
      state: 'Oregon',
      zip_code: '97477',
    };
    const id = await verified({ ...fields, contact_email: 'whom@example.com' });
    const charity = await shown(id);
    expect(charity).toEqual({
      ...fields,
      id,
      story: null,
      goal_cents: null,
      updates: [],
      distance_miles: null,
      description: 'We find homes for dogs.',
      payment_link: 'https://give.example/paws',
      logo_key: null,
      is_verified: true,
      is_active: true,
      donation_count: 0,
      total_donated_cents: 0,
      created_at: expect.any(String) as string,
    });
    expect(JSON.stringify(charity)).not.toContain('whom@example.com');
  });

  test('charities can be sorted by name, donations, and date, searched, and paged', async () => {
    const word = `Sort${Date.now()}`;
    const zeta = await verified({ charity_name: `Zeta ${word}` });
    const alpha = await verified({ charity_name: `alpha ${word}` });
    const mid = await verified({ charity_name: `Mid ${word}` });
    await donate(member, mid);
    const ids = async (sort: 'name' | 'donations' | 'recent') =>
      (await list({ search: word.slice(0, 12), sort })).map(({ id }) => id);
    expect(await ids('name')).toEqual([alpha, mid, zeta]);
    expect((await ids('donations'))[0]).toBe(mid);
    expect(await ids('recent')).toEqual([mid, alpha, zeta]);
    const first = await member.call(listCharities, { query: { search: word, limit: 2 } });
    expect([first.charities.length, first.total]).toEqual([2, 3]);
    const cursor = first.next_cursor ?? '';
    const second = await member.call(listCharities, { query: { search: word, limit: 2, cursor } });
    expect(second.charities.map(({ id }) => id)).toEqual([zeta]);
    expect(second.next_cursor).toBeNull();
  });

  test('lists the nearest first, by their towns, then those without a known one', async () => {
    const word = `Near${Date.now()}`;
    const named = (name: string, place: Record<string, string> = {}) =>
      verified({ charity_name: `${word} ${name}`, ...place });
    const nowhere = await named('nowhere', { city: 'Xyzzyville' });
    // No town has this name, but many begin with it.
    const prefix = await named('prefix', { city: 'Sacrament' });
    const seattle = await named('Seattle', { city: 'Seattle', state: 'WA' });
    const eugene = await named('Eugene', { city: 'Eugene', state: 'Oregon' });
    await locateCharities(api.db);
    const near = async () =>
      (
        await member.call(listCharities, {
          query: { search: word, sort: 'near', latitude: '44.05', longitude: '-123.02' },
        })
      ).charities.map(({ id, distance_miles }) => [id, distance_miles]);
    expect(await near()).toEqual([
      [eugene, expect.toSatisfy((miles: number) => miles < 10)],
      [seattle, expect.toSatisfy((miles: number) => miles > 200 && miles < 300)],
      [nowhere, null],
      [prefix, null],
    ]);
    // Moves with its city.
    await admin.call(editCharity, {
      params: { id: seattle },
      body: { city: 'Springfield', state: 'Oregon' },
    });
    await locateCharities(api.db);
    expect((await near())[0]?.[0]).toBe(seattle);
  });

  test('finds charities by name and place, but not by their contact', async () => {
    const word = `Quiet${Date.now()}`;
    const contact_email = `${word}secret@hidden.example`;
    const id = await verified({ charity_name: word, city: `${word}ville`, contact_email });
    const found = async (search: string) => (await list({ search })).map((each) => each.id);
    expect(await found(word)).toEqual([id]);
    expect(await found(`${word}v`)).toEqual([id]);
    for (const guess of [`${word}s`, contact_email]) expect(await found(guess)).toEqual([]);
  });
});

describe('a charity application', () => {
  test('anyone can apply with a form, and empty fields are stored as null', async () => {
    const id = await apply(api.call, { phone: '', city: ' ', contact_email: 'Apply@Example.com' });
    expect(await rowOf(id)).toMatchObject({
      source: 'application',
      contact_email: 'apply@example.com',
      phone: null,
      city: null,
      is_verified: false,
      is_active: true,
      suggested_by_user_id: null,
    });
  });

  test('completes links that are typed without https', async () => {
    const id = await apply(api.call, {
      payment_link: 'give.example/paws',
      website_url: ' paws.example ',
    });
    expect(await rowOf(id)).toMatchObject({
      payment_link: 'https://give.example/paws',
      website_url: 'https://paws.example',
    });
  });

  test('resizes a charity’s logo and deletes it once it is unused', async () => {
    const id = await verified({}, await logo());
    const key = (await rowOf(id)).logo_key ?? '';
    const load = () => member.jar.fetch(`${api.origin}/api/files/${key}`);
    const { width, height } = await sharp(await (await load()).arrayBuffer()).metadata();
    expect([width, height]).toEqual([1024, 512]);
    await api.db.collection('images.files').updateMany({}, { $set: { uploadDate: new Date(0) } });
    const orphan = (await rowOf(await apply(api.call, {}, await logo()))).logo_key ?? '';
    await api.db
      .collection('images.files')
      .updateOne({ filename: orphan }, { $set: { uploadDate: new Date(0) } });
    await rows().updateOne({ logo_key: orphan }, { $set: { logo_key: null } });
    await api.runJobs();
    await vi.waitFor(async () =>
      expect(await api.db.collection('images.files').countDocuments({ filename: orphan })).toBe(0),
    );
    expect((await load()).status).toBe(200);
  });

  test.each([
    ['a text', new Blob(['I am a logo'])],
    ['an SVG', new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'])],
  ])('refuses %s as a logo', async (_name, file) => {
    const words = 'Please select an image file for your logo';
    await expectRefused(apply(api.call, {}, file), 415, { error: words, fields: { logo: words } });
  });

  test('refuses a logo of 2 MB', async () => {
    const file = new Blob([new Uint8Array(2 * 1024 * 1024)]);
    await expectRefused(apply(api.call, {}, file), 413, {
      error: 'Logo file size must be less than 2MB',
    });
  });

  test.each([
    [{ charity_name: ' ' }, { charity_name: 'Charity name is required' }],
    [{ description: '' }, { description: 'Description is required' }],
    [{ contact_name: '' }, { contact_name: 'Contact name is required' }],
    [{ contact_email: '' }, { contact_email: 'Contact email is required' }],
    [{ contact_email: 'chris' }, { contact_email: 'Invalid email' }],
    [{ payment_link: '' }, { payment_link: 'Payment link is required' }],
    [{ payment_link: 'give' }, { payment_link: 'Please enter a valid payment link URL' }],
    [
      { payment_link: 'javascript:alert(1)' },
      { payment_link: 'Please enter a valid payment link URL' },
    ],
    [
      { payment_link: 'https://a:b@evil.example' },
      { payment_link: 'Please enter a valid payment link URL' },
    ],
    [
      { contact_name: '', website_url: 'paws' },
      {
        contact_name: 'Contact name is required',
        website_url: 'Please enter a valid website URL',
      },
    ],
    [{ website_url: 'paws' }, { website_url: 'Please enter a valid website URL' }],
    [{ website_url: 'data:text/html,x' }, { website_url: 'Please enter a valid website URL' }],
  ])('refuses an application with %o', (overrides, fields) =>
    expectRefused(apply(api.call, overrides), 400, { fields }),
  );

  test('an application sent twice is stored and emailed once', async () => {
    const body = charityBody();
    const send = (name = body.charity_name) =>
      api.call(createCharity, {
        body: { ...body, charity_name: name },
        file: null,
        idempotencyKey: '2b0c9a52-9a42-4d0c-a6c4-2f1de3f5a001',
      });
    const { charity } = await send();
    expect(await send()).toEqual({ charity });
    expect(await rows().countDocuments({ contact_email: body.contact_email })).toBe(1);
  });

  test('emails a charity once on receipt and once on approval', async () => {
    const id = await apply(api.call, { charity_name: 'Paws at https://evil.example <b>' });
    const received = await emailTo('received', id);
    expect(received.subject).toBe('Leashwise received your application');
    expect(received.text).toContain('within 2-3 business days');
    expect(received.text).toContain('\n> Paws at https: //evil. example <b>\n');
    for (const body of [received.text, received.html]) {
      expect(body).not.toContain('evil.example');
      expect(body).toContain(received.unsubscribe_url);
    }
    expect(received.html).not.toContain('<b>');
    await change(id, { is_verified: true });
    const approved = await emailTo('approved', id);
    expect(approved.subject).toBe('Your charity is on Leashwise');
    expect(approved.text).toContain(`http://localhost:3000/charities/${id}`);
    await change(id, { is_verified: false });
    await change(id, { is_verified: true });
    expect(await api.db.collection('charity_emails').countDocuments({ charity_id: id })).toBe(2);
  });

  test('emails the approval only once the charity is active', async () => {
    const id = await apply(api.call);
    await emailTo('received', id);
    await change(id, { is_active: false });
    await change(id, { is_verified: true });
    expect(await api.db.collection('charity_emails').countDocuments({ charity_id: id })).toBe(1);
    await change(id, { is_active: true });
    await emailTo('approved', id);
  });

  test('emails an approval later when a crash interrupted it', async () => {
    const id = await apply(api.call);
    await rows().updateOne(
      { _id: id },
      { $set: { is_verified: true, is_approval_notified: false } },
    );
    await api.runJobs();
    await emailTo('approved', id);
    await vi.waitFor(async () => expect((await rowOf(id)).is_approval_notified).toBe(true));
  });

  test('emails no approval that was taken back before a crash was over, but the next one', async () => {
    const id = await apply(api.call);
    await rows().updateOne(
      { _id: id },
      { $set: { is_verified: true, is_active: false, is_approval_notified: false } },
    );
    await api.runJobs();
    expect(await api.db.collection('charity_emails').countDocuments({ charity_id: id })).toBe(1);
    await change(id, { is_active: true });
    await emailTo('approved', id);
  });

  test('emails one address about at most three applications in thirty days', async () => {
    await api.withLimits(1, async () => {
      const ids: string[] = [];
      for (let i = 0; i < 4; i++)
        ids.push(await apply(api.call, { contact_email: 'often@example.com' }));
      const written = await api.db.collection('outbox').countDocuments({
        _id: { $in: ids.map((id) => `charity_emails received ${id}`) as never[] },
      });
      expect(written).toBe(3);
      // What an administrator decides is told in any case.
      const [, , third = '', fourth = ''] = ids;
      await change(fourth, { is_verified: true });
      await emailTo('approved', fourth);
      const params = { id: third };
      const { charity } = await admin.call(rejectCharity, { params, body: { reason: 'No.' } });
      await emailTo(`rejected ${Date.parse(charity.rejection?.at ?? '')}`, third);
    });
  });
});

describe('a charity suggestion', () => {
  const suggest = (
    by: Pick<TestPerson, 'call'>,
    overrides: Record<string, string> = {},
    key?: string,
  ) =>
    by.call(createCharity, {
      body: charityBody(overrides),
      ...(key && { idempotencyKey: key }),
    });

  test('lists a member’s suggestion only once it is verified', async () => {
    const { charity } = await suggest(member, { contact_name: '' });
    expect(await rowOf(charity.id)).toMatchObject({
      source: 'suggestion',
      contact_name: null,
      suggested_by_user_id: member.user.id,
    });
    expect(await shown(charity.id)).toBeUndefined();
    await change(charity.id, { is_verified: true });
    expect(await shown(charity.id)).toBeDefined();
    // A suggested charity gets no email because it did not apply.
    expect(
      await api.db.collection('charity_emails').countDocuments({ charity_id: charity.id }),
    ).toBe(0);
  });

  test('a charity does not carry the name of the product', async () => {
    const refusal = { fields: { charity_name: RESERVED_NAME } };
    await expectRefused(suggest(member, { charity_name: 'Leashwise Relief' }), 400, refusal);
    await expectRefused(apply(api.call, { charity_name: 'Leashwise Relief' }), 400, refusal);
  });

  test('only members can suggest a charity', async () => {
    await expectRefused(suggest(api), 401, { code: 'signed_out' });
    const outside = await api.as('outside@example.com', { access: false });
    await expectRefused(suggest(outside), 403, { code: 'no_access' });
  });

  test('a suspended member can’t suggest a charity', async () => {
    const suspended = await api.as('suspended@example.com');
    await api.db
      .collection<UserRow>('users')
      .updateOne(
        { _id: suspended.user.id },
        { $set: { suspended_until: new Date(Date.now() + 3_600_000) } },
      );
    await api.reread(suspended);
    await expectRefused(suggest(suspended), 403, { code: 'suspended' });
  });

  test('a suggestion stays when its member deletes the account, without their data', async () => {
    const leaver = await api.as('leaver@example.com');
    const { charity } = await suggest(leaver, {
      contact_email: 'leaver@example.com',
      phone: '+1 202 555 0100',
    });
    await donate(leaver, await verified());
    const response = await leaver.jar.fetch(`${api.origin}/api${exportAccount.path}`);
    const exported = Buffer.from(await response.arrayBuffer());
    expect(exported.includes(charity.charity_name)).toBe(true);
    await leaver.call(deleteAccount, { body: { confirmation: 'delete my account' } });
    await vi.waitFor(async () =>
      expect(await rowOf(charity.id)).toMatchObject({
        suggested_by_user_id: null,
        contact_email: null,
        contact_name: null,
        phone: null,
      }),
    );
    expect((await rowOf(charity.id)).words.join()).not.toContain('leaver');
    expect(
      await api.db.collection('charity_donations').countDocuments({ user_id: leaver.user.id }),
    ).toBe(0);
  });
});

describe('opening a donation link', () => {
  test('counts a donation link once per person and day', async () => {
    const id = await verified();
    const other = await api.as('other@example.com');
    const before = (await admin.call(charityAnalytics)).stats.donations_last_24h;
    for (const by of [member, member, other]) await donate(by, id);
    await Promise.all([donate(member, id), donate(other, id), donate(other, id)]);
    expect((await shown(id))?.donation_count).toBe(2);
    expect((await admin.call(charityAnalytics)).stats.donations_last_24h).toBe(before + 2);
    const fields = { charity_id: id, amount_cents: 0, donation_type: 'external_link' };
    const recorded = await api.db
      .collection('charity_donations')
      .find({ charity_id: id })
      .toArray();
    expect(recorded).toMatchObject([fields, fields]);
  });

  test('counts a donation later, once, when a crash interrupted it', async () => {
    const id = await verified();
    await donate(member, id);
    await api.db
      .collection('charity_donations')
      .updateMany({ charity_id: id }, { $set: { is_counted: false } });
    await api.runJobs();
    await vi.waitFor(async () =>
      expect(
        await api.db.collection('charity_donations').countDocuments({ is_counted: false }),
      ).toBe(0),
    );
    expect((await shown(id))?.donation_count).toBe(1);
  });

  test('answers 404 for donations to unlisted charities', async () => {
    const id = await apply(api.call);
    for (const charity_id of [id, 'nothing'])
      await expectRefused(donate(member, charity_id), 404, { error: 'Charity not found' });
  });

  test('refuses a donation amount from the client', async () => {
    const body = { charity_id: await verified(), amount_cents: 500 } as never;
    await expectRefused(member.call(createCharityDonation, { body }), 400);
  });
});
