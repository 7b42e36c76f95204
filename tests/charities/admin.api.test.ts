import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { z } from 'zod';
import { auditLog } from '#shared/admin/contract.ts';
import { EDITED_MEANWHILE } from '#shared/admin/paging.ts';
import {
  changeCharities,
  charityAnalytics,
  deleteCharity,
  editCharity,
  exportCharities,
  getCharity,
  listAllCharities,
  rejectCharity,
  updateCharity,
} from '#shared/charities/admin-contract.ts';
import { charities, charityEmails } from '../../api/features/charities/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import { apply } from './made-charities.ts';

type Query = z.input<NonNullable<(typeof listAllCharities)['query']>>;

let api: TestApi;
let admin: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
});
afterAll(() => api.close());

const get = async (id: string) => (await admin.call(getCharity, { params: { id } })).charity;
const update = (
  id: string,
  body: {
    is_verified?: boolean;
    is_active?: boolean;
    total_donated_cents?: number;
    version?: number;
  },
) => admin.call(updateCharity, { params: { id }, body });
const missing = { error: 'Charity not found' };

describe('charities in the admin panel', () => {
  test('lists all charities with their contacts, searched, filtered, and sorted', async () => {
    const word = `Zq${Date.now()}`;
    const first = await apply(api.call, {
      charity_name: `B ${word}`,
      contact_email: 'b@paws.example',
    });
    const second = await apply(api.call, { charity_name: `A ${word}` });
    await update(first, { is_verified: true });
    await update(second, { is_active: false });
    const ask = (query: Query) =>
      admin.call(listAllCharities, { query: { search: word, ...query } });
    const ids = async (query: Query) => (await ask(query)).charities.map(({ id }) => id);
    expect(await ids({})).toEqual([second, first]);
    expect(await ids({ sort: 'oldest' })).toEqual([first, second]);
    expect(await ids({ sort: 'name' })).toEqual([second, first]);
    expect(await ids({ verification: 'verified' })).toEqual([first]);
    expect(await ids({ verification: 'pending' })).toEqual([second]);
    expect(await ids({ activity: 'inactive' })).toEqual([second]);
    expect(await ids({ source: 'suggestion' })).toEqual([]);
    const found = await ask({ search: 'b@paws' });
    expect(found.charities.map(({ id }) => id)).toEqual([first]);
    expect(found.charities[0]).toMatchObject({
      contact_email: 'b@paws.example',
      contact_name: 'Chris',
    });
  });

  test('counts all and verified charities and their donations', async () => {
    const { stats: before } = await admin.call(charityAnalytics);
    const id = await apply(api.call);
    await update(id, { is_verified: true });
    await api.db
      .collection<{ _id: string }>('charities')
      .updateOne({ _id: id }, { $set: { total_donated_cents: 12_345 } });
    const { stats } = await admin.call(charityAnalytics);
    expect(stats).toEqual({
      total_charities: before.total_charities + 1,
      verified_charities: before.verified_charities + 1,
      total_donated_cents: before.total_donated_cents + 12_345,
      donations_last_24h: before.donations_last_24h,
    });
  });

  test('an admin corrects the texts of a charity, and the audit log has no values of its contact', async () => {
    const word = `Edit${Date.now()}`;
    const id = await apply(api.call, { charity_name: `Pawz ${word}`, website_url: '' });
    const edit = (body: z.input<typeof editCharity.body & object>) =>
      admin.call(editCharity, { params: { id }, body });
    const { charity } = await edit({
      charity_name: `Paws ${word}`,
      website_url: 'https://paws.example',
      contact_name: 'Robin',
      phone: '',
      city: 'Salem',
      version: 0,
    });
    expect(charity).toMatchObject({
      charity_name: `Paws ${word}`,
      website_url: 'https://paws.example',
      contact_name: 'Robin',
      phone: null,
      city: 'Salem',
      version: 1,
    });
    const query = { search: `paws ${word}` };
    const { charities: found } = await admin.call(listAllCharities, { query });
    expect(found.map((each) => each.id)).toEqual([id]);
    const { entries } = await admin.call(auditLog, { query: { subject_id: id } });
    expect(entries[0]).toMatchObject({
      act: 'charity.update',
      before: { charity_name: `Pawz ${word}`, contact_name: '(not recorded)' },
      after: { charity_name: `Paws ${word}`, contact_name: '(not recorded)' },
    });
    expect(JSON.stringify(entries)).not.toContain('Robin');

    await expectRefused(edit({ city: 'Boston', version: 0 }), 409, { code: EDITED_MEANWHILE });
    for (const [body, field] of [
      [{ charity_name: ' ' }, 'charity_name'],
      [{ payment_link: 'javascript:alert(1)' }, 'payment_link'],
      [{ website_url: 'paws' }, 'website_url'],
      [{ contact_email: 'paws' }, 'contact_email'],
      [{ description: 'x'.repeat(2_001) }, 'description'],
    ] as const)
      await expectRefused(edit(body), 400, { fields: { [field]: expect.any(String) } });
    expect(await get(id)).toEqual(charity);
    await expectRefused(
      admin.call(editCharity, { params: { id: 'nothing' }, body: { city: 'Salem' } }),
      404,
      missing,
    );
    // The contact’s account was deleted.
    await charities(api.db).updateOne({ _id: id }, { $set: { contact_email: null } });
    await expectRefused(edit({ contact_name: 'Kim' }), 400, {
      fields: { contact_email: 'Contact email is required' },
    });
  });

  test('verifies, activates, and deactivates a charity, and logs who did', async () => {
    const id = await apply(api.call);
    expect((await update(id, { is_verified: true })).charity).toMatchObject({
      is_verified: true,
      version: 1,
    });
    await update(id, { is_active: false });
    const { entries } = await admin.call(auditLog, { query: { subject_id: id } });
    expect(entries.map(({ act, before, after }) => ({ act, before, after }))).toEqual([
      { act: 'charity.update', before: { is_active: true }, after: { is_active: false } },
      { act: 'charity.update', before: { is_verified: false }, after: { is_verified: true } },
    ]);
  });

  test('shows members the amount that a charity reports, as an admin recorded it', async () => {
    const id = await apply(api.call);
    await update(id, { is_verified: true });
    await update(id, { total_donated_cents: 125_000 });
    const { entries } = await admin.call(auditLog, { query: { subject_id: id } });
    expect(entries[0]).toMatchObject({
      before: { total_donated_cents: 0 },
      after: { total_donated_cents: 125_000 },
    });
    expect(await get(id)).toMatchObject({ total_donated_cents: 125_000 });
    await expectRefused(update(id, { total_donated_cents: -1 }), 400);
  });

  test('refuses to overwrite a charity that another admin changed', async () => {
    const id = await apply(api.call);
    const { version } = await get(id);
    await update(id, { is_active: false, version });
    await expectRefused(update(id, { is_verified: true, version }), 409, {
      code: EDITED_MEANWHILE,
    });
    expect(await get(id)).toMatchObject({ is_verified: false, is_active: false });
  });

  test('deletes a charity with its emails', async () => {
    const id = await apply(api.call);
    await admin.call(deleteCharity, { params: { id } });
    await expectRefused(admin.call(getCharity, { params: { id } }), 404, missing);
    await expectRefused(admin.call(deleteCharity, { params: { id } }), 404, missing);
    await expectRefused(update(id, { is_active: true }), 404, missing);
    expect(await api.db.collection('charity_emails').countDocuments({ charity_id: id })).toBe(0);
  });

  test('deleting a charity again finishes an interrupted deletion', async () => {
    const id = await apply(api.call);
    const { db } = api;
    // Replaces the collection by a view, which can't be deleted from, so that the deletion fails halfway.
    await db.createCollection('charity_donations').catch(() => null);
    await db.renameCollection('charity_donations', 'put_aside');
    await db.createCollection('charity_donations', { viewOn: 'put_aside', pipeline: [] });
    await expectRefused(admin.call(deleteCharity, { params: { id } }), 500);
    await db.dropCollection('charity_donations');
    await db.dropCollection('system.views');
    await db.renameCollection('put_aside', 'charity_donations');
    await admin.call(deleteCharity, { params: { id } });
    expect(await db.collection('charity_emails').countDocuments({ charity_id: id })).toBe(0);
    await expectRefused(get(id), 404, missing);
  });

  test('refuses to delete a charity that another admin changed', async () => {
    const id = await apply(api.call);
    const { version } = await get(id);
    await update(id, { is_active: false });
    const seen = { params: { id }, query: { version } };
    await expectRefused(admin.call(deleteCharity, seen), 409, { code: EDITED_MEANWHILE });
    const body = { action: 'delete' as const, items: [{ id, version }] };
    expect((await admin.call(changeCharities, { body })).done).toEqual([]);
    expect(await get(id)).toMatchObject({ id });
    expect(await api.db.collection('charity_emails').countDocuments({ charity_id: id })).toBe(1);
  });

  test('changes several charities at once and skips those that another admin changed', async () => {
    const [one, other] = [await apply(api.call), await apply(api.call)];
    await update(other, { is_active: false });
    const { done, skipped } = await admin.call(changeCharities, {
      body: { action: 'verify', items: [one, other].map((id) => ({ id, version: 0 })) },
    });
    expect([done, skipped.map(({ id }) => id)]).toEqual([[one], [other]]);
    const all = [one, other].map((id) => ({ id }));
    for (const action of ['deactivate', 'activate', 'delete'] as const)
      expect(
        (await admin.call(changeCharities, { body: { action, items: all } })).done,
      ).toHaveLength(2);
  });

  test('exports the listed charities and escapes formulas', async () => {
    const word = `Csv${Date.now()}`;
    await apply(api.call, { charity_name: `=HYPERLINK(${word})`, city: word });
    const path = `${api.origin}/api${exportCharities.path}?search=${word}`;
    await api.db
      .collection('charities')
      .updateOne({ city: word }, { $set: { total_donated_cents: 12_345 } });
    const text = await (await admin.jar.fetch(path)).text();
    expect(text).toContain('Donated (USD)');
    expect(text).toContain(',123.45,');
    expect(text).toContain(`'=HYPERLINK(${word})`);
    expect(text.trim().split('\n')).toHaveLength(2);
  });

  test.each([{ sort: 'name' }, { verification: 'pending' }, { search: 'paw' }])(
    'lists charities by %o with an index',
    async (query) => {
      // The query of the list, explained by MongoDB.
      const filter =
        'search' in query
          ? { words: { $elemMatch: { $gte: 'paw', $lt: 'paw\uffff' } } }
          : 'verification' in query
            ? { is_verified: false }
            : {};
      const plan = await api.db
        .collection('charities')
        .find(filter, {
          sort: 'sort' in query ? { name_key: 1, _id: 1 } : { created_at: -1, _id: -1 },
        })
        .explain('queryPlanner');
      expect(JSON.stringify(plan)).not.toContain('COLLSCAN');
    },
  );
});

describe('a rejection', () => {
  const reason = 'The tax ID belongs to somebody else.';
  const reject = (id: string, version?: number) =>
    admin.call(rejectCharity, { params: { id }, body: { reason, version } });
  const listed = async (verification: 'pending' | 'rejected') => {
    const { charities: found } = await admin.call(listAllCharities, { query: { verification } });
    return found.map(({ id }) => id);
  };
  const emailsTo = async (to: string) =>
    (await api.db.collection('sandbox_sent').find({ 'message.to': to }).toArray()).map(
      ({ message }) => message as { subject: string; text: string },
    );

  test('takes a charity from those that wait, and tells the applicant why, once', async () => {
    const contact_email = `rejected.${Date.now()}@example.com`;
    const id = await apply(api.call, { contact_email });
    expect(await listed('pending')).toContain(id);
    const { charity } = await reject(id);
    expect(charity).toMatchObject({ is_verified: false, rejection: { reason } });
    expect(await listed('pending')).not.toContain(id);
    expect(await listed('rejected')).toContain(id);
    await api.runJobs();
    await expect
      .poll(async () => (await emailsTo(contact_email)).filter(({ text }) => text.includes(reason)))
      .toHaveLength(1);
    const { entries } = await admin.call(auditLog, { query: { subject_id: id } });
    expect(entries[0]).toMatchObject({
      act: 'charity.reject',
      subject_name: charity.charity_name,
      after: { rejection: { reason } },
    });
  });

  test('is taken back by a verification, and refused for a verified charity', async () => {
    const id = await apply(api.call);
    await reject(id);
    await update(id, { is_verified: true });
    expect((await get(id)).rejection).toBeNull();
    await expectRefused(reject(id), 409, {
      error: 'This charity is verified. Deactivate it instead.',
    });
    await expectRefused(reject('none'), 404, missing);
  });

  test('that was taken back is not emailed after a crash', async () => {
    const due = { is_rejection_notified: false };
    const [verified, left] = [await apply(api.call), await apply(api.call)];
    const rejection = { reason, at: new Date() };
    await charities(api.db).updateOne({ _id: verified }, { $set: { ...due, rejection } });
    await update(verified, { is_verified: true });
    // By an earlier release.
    await charities(api.db).updateOne({ _id: left }, { $set: { ...due, rejection: null } });
    await api.runJobs();
    for (const id of [verified, left]) {
      expect(await charities(api.db).findOne({ _id: id })).toMatchObject({
        rejection: null,
        is_rejection_notified: true,
      });
      const about = { charity_id: id, _id: /^rejected/ as never };
      expect(await charityEmails(api.db).countDocuments(about)).toBe(0);
    }
  });

  test('is refused if another admin changed the charity since', async () => {
    const id = await apply(api.call);
    const { version } = await get(id);
    await update(id, { is_active: false });
    await expectRefused(reject(id, version), 409, { code: EDITED_MEANWHILE });
  });
});
