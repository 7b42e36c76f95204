import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { reportLocation } from '#shared/proximity/contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { addressId } from '../../api/platform/mail-queue/messages.ts';
import { makeTimedAd, pay, signUp } from '../advertisers/sign-up.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { friends, say } from '../chat/talk.ts';
import { AGING, SHOWN_ELSEWHERE, type Aging } from './aged-rows.ts';
import { OTHER_COLLECTIONS, PERSONAL_COLLECTIONS } from './privacy-document.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const rowOf = (name: string) => PERSONAL_COLLECTIONS.find(({ collection }) => collection === name);
const isListed = (name: string) => Boolean(rowOf(name)) || OTHER_COLLECTIONS.includes(name);

const sources = ['api', 'sync-server', 'shared'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(join(folder, file))),
);
const jobs = new Set(
  sources.flatMap((text) => [
    ...[...text.matchAll(/\bregisterJob\(\s*'([^']+)'/g)].map(([, name = '']) => name),
    ...[...text.matchAll(/\b[A-Z_]*_JOB = '([^']+)'/g)].map(([, name = '']) => name),
    // The only background job whose name varies: one for each collection that causes messages.
    ...[...text.matchAll(/mailQueue\.from\('([^']+)'\)/g)].map(([, name = '']) => `queue ${name}`),
  ]),
);
const jobsIn = (text: string) => [...text.matchAll(/`([^`/]+)`/g)].map(([, name = '']) => name);

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

describe('docs/privacy.md', () => {
  test('docs/privacy.md names each collection named in the source', () => {
    const named = sources.flatMap((text) =>
      [...text.matchAll(/\bcollection(?:<[^(]*>)?\(\s*'([\w.]+)'/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(50);
    expect([...new Set(named)].filter((name) => !isListed(name))).toEqual([]);
  });

  test('docs/privacy.md names each collection that exists after use of the product', async () => {
    const [one, other] = await friends(api, 'One', 'Other');
    await say(one, other, 'Hello');
    const here = { latitude: 47.1, longitude: 8.5 };
    for (const { call } of [one, other]) await call(reportLocation, { body: here });
    const shop = await signUp(api);
    await pay(api, shop, await makeTimedAd(shop));
    const there = (await api.db.listCollections().toArray()).map(({ name }) => name);
    expect(there.length).toBeGreaterThan(50);
    expect(there.filter((name) => !isListed(name))).toEqual([]);
  });

  test('docs/privacy.md has one complete line per collection and names only existing background jobs', () => {
    const names = [
      ...PERSONAL_COLLECTIONS.map(({ collection }) => collection),
      ...OTHER_COLLECTIONS,
    ];
    expect(names.length).toBe(new Set(names).size);
    expect(
      PERSONAL_COLLECTIONS.filter((row) => Object.values(row).some((cell) => cell === '')),
    ).toEqual([]);
    const unknown = PERSONAL_COLLECTIONS.flatMap(({ removedBy }) => jobsIn(removedBy)).filter(
      (name) => !jobs.has(name),
    );
    expect(unknown).toEqual([]);
  });

  test('each row of docs/privacy.md with a background job has a test', () => {
    const aged = new Set(AGING.map(({ collection }) => collection));
    const swept = PERSONAL_COLLECTIONS.filter(({ removedBy }) => jobsIn(removedBy).length > 0);
    const untested = swept.filter(
      ({ collection }) => !aged.has(collection) && !SHOWN_ELSEWHERE[collection],
    );
    expect(untested.map(({ collection }) => collection)).toEqual([]);
    const missing = Object.values(SHOWN_ELSEWHERE).filter((path) => !existsSync(join(ROOT, path)));
    expect(missing).toEqual([]);
  });

  test.each(AGING)(
    'docs/privacy.md gives $term as the retention of $collection',
    ({ collection, term }) => {
      expect(rowOf(collection)?.retention).toContain(term);
    },
  );
});

/** Allows for clock differences and the duration of a test. */
const MARGIN_MS = 30_000;
const DAY_MARGIN_MS = 2 * DAY_MS;

describe('a background job', () => {
  const rowsOf = ({ collection }: Aging) => api.db.collection<{ _id: string }>(collection);
  const idsOf = (aging: Aging, index: number) => ({
    due: `due-${index}-${aging.collection}`,
    young: `young-${index}-${aging.collection}`,
  });

  beforeAll(async () => {
    await api.stopApi();
    for (const [index, aging] of AGING.entries()) {
      const { due, young } = idsOf(aging, index);
      const margin = aging.ms > DAY_MS ? DAY_MARGIN_MS : MARGIN_MS;
      const rows = [
        [due, new Date(Date.now() - aging.ms - margin)],
        // A row that states its end ends later.
        [young, new Date(Date.now() - aging.ms + (aging.ms === 0 ? DAY_MS : margin))],
      ] as const;
      for (const [_id, at] of rows) await rowsOf(aging).insertOne({ _id, ...aging.row(at, _id) });
    }
    await api.startApi();
  });

  test.each(AGING.map((aging, index) => ({ ...aging, index })))(
    'the job of $collection removes data older than $term ($index) and nothing younger',
    async ({ index, ...aging }) => {
      const { due, young } = idsOf(aging, index);
      const { cleared } = aging;
      const names = Object.keys(cleared ?? {});
      const left = async () => {
        const row: Record<string, unknown> | null = await rowsOf(aging).findOne({ _id: due });
        return row && Object.fromEntries(names.map((name) => [name, row[name]]));
      };
      await expect.poll(left).toEqual(cleared ?? null);
      const fresh = aging.row(new Date(), young);
      const fields = names.map((name) => [name, fresh[name]]);
      const remaining: object | null = await rowsOf(aging).findOne({ _id: young });
      expect(remaining).toMatchObject(Object.fromEntries(fields));
    },
  );
});

test('an advertiser without recent purchases stays in the books without personal data', async () => {
  const shop = await signUp(api);
  await pay(api, shop, await makeTimedAd(shop, { placement: 'sidebar' }));
  const dashboards = api.db.collection<{ _id: string }>('advertiser_dashboards');
  const dashboardId = addressId('email', shop.email);
  await expect.poll(() => dashboards.findOne({ _id: dashboardId })).not.toBeNull();
  const advertisers = api.db.collection<{ _id: string }>('advertisers');
  const eightYears = new Date(Date.now() - 8 * 365 * DAY_MS);
  await advertisers.updateOne({ _id: shop.id }, { $set: { updated_at: eightYears } });
  await api.runJobs();
  // A recent purchase keeps the contact data.
  expect(await advertisers.findOne({ _id: shop.id })).toMatchObject({ email: shop.email });
  const theirs = { advertiser_id: shop.id };
  await api.db
    .collection('ad_payments')
    .updateMany(theirs, { $set: { created_at: eightYears, paid_at: eightYears } });
  await api.db.collection('advertisement_bookings').updateMany(theirs, {
    $set: {
      scheduled_end_at: eightYears,
      scheduled_start_at: eightYears,
      // The email about the end was sent then: another one would create a dashboard again.
      notified: 'finished',
    },
  });
  await api.runJobs();
  await expect
    .poll(() => advertisers.findOne({ _id: shop.id }))
    .toMatchObject({ email: null, contact_name: '', phone: null, company_name: 'Kibble & Co' });
  await expect.poll(() => dashboards.findOne({ _id: dashboardId })).toBeNull();
});

test('answering an invitation deletes the recipient’s address', async () => {
  const referrals = api.db.collection<{ _id: string }>('referrals');
  const invitations = api.db.collection<{ _id: string }>('search_invitations');
  const yesterday = new Date(Date.now() - DAY_MS);
  await referrals.insertOne({
    _id: 'answered',
    recipient_email: 'invited@example.com',
    sent_at: yesterday,
    accessed_at: new Date(),
  } as never);
  await invitations.insertOne({
    _id: 'answered',
    code: 'ANSWERED',
    invited_email: 'invited@example.com',
    used_at: new Date(),
    created_at: yesterday,
    expires_at: new Date(Date.now() + DAY_MS),
  } as never);
  await api.runJobs();
  await expect
    .poll(() => referrals.findOne({ _id: 'answered' }))
    .toMatchObject({ recipient_email: null });
  await expect
    .poll(() => invitations.findOne({ _id: 'answered' }))
    .toMatchObject({ invited_email: null });
});

test('an alert’s acknowledgments are deleted with it', async () => {
  const acknowledgements = api.db.collection<{ _id: string }>('emergency_alert_acknowledgements');
  const over = new Date(Date.now() - 2 * DAY_MS);
  await api.db.collection<{ _id: string }>('emergency_alerts').insertOne({
    _id: 'over',
    alert_ids: ['over'],
    source: 'nws',
    is_notified: true,
    sent_at: over,
    expires_at: over,
    cells: [],
  } as never);
  await acknowledgements.insertOne({ _id: 'seen', user_id: 'x', alert_id: 'over' } as never);
  await api.runJobs();
  await expect.poll(() => acknowledgements.findOne({ _id: 'seen' })).toBeNull();
});
