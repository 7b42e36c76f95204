import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  changeCodes,
  createCode,
  deleteCode,
  exportCodes,
  getCode,
  listCodes,
  updateCode,
} from '#shared/access-gate/admin-contract.ts';
import { EDITED_MEANWHILE, EDITED_TEXT } from '#shared/admin/paging.ts';
import {
  changeAdvertisements,
  deleteAdvertisement,
  exportAdvertisements,
  getAdvertisement,
  listAdvertisements,
  updateAdvertisement,
  uploadAdImage,
} from '#shared/ads/admin-contract.ts';
import { listAds } from '#shared/ads/contract.ts';
import { createAlert, exportAlerts, listAdminAlerts } from '#shared/alerts/admin-contract.ts';
import type { AccessCodeRow } from '../../api/features/access-gate/collections.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { makeAd } from '../ads/made-ads.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeCode } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let admin: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
});
afterAll(() => api.close());

const CODES = ['ALPHA', 'BRAVO', 'CHARLIE', 'DELTA', 'ECHO', 'FOXTROT', 'GOLF'];
const list = (query: object = {}) => admin.call(listCodes, { query });
const names = ({ accessCodes }: Awaited<ReturnType<typeof list>>) =>
  accessCodes.map(({ code }) => code);
const csvOf = async (path: string) => (await admin.jar.fetch(`${api.origin}${path}`)).text();

describe('a list with several pages', () => {
  beforeAll(async () => {
    for (const code of CODES) await makeCode(admin, { code, description: `for ${code} walkers` });
    // All have the same time, so that only the id makes the order unique.
    const created_at = new Date();
    await api.db.collection<AccessCodeRow>('access_codes').updateMany({}, { $set: { created_at } });
  });

  test.each(['newest', 'oldest', 'code', 'most_used'])(
    'shows every row once when paged forward and back in the order %s',
    async (sort) => {
      const seen: string[][] = [];
      let page = await list({ sort, limit: 3 });
      expect(page).toMatchObject({ total: 7, total_is_capped: false, previous_cursor: null });
      seen.push(names(page));
      while (page.next_cursor) {
        page = await list({ sort, limit: 3, cursor: page.next_cursor });
        seen.push(names(page));
      }
      expect(seen.map(({ length }) => length)).toEqual([3, 3, 1]);
      expect(seen.flat().toSorted()).toEqual(CODES);
      const back: string[][] = [names(page)];
      while (page.previous_cursor) {
        page = await list({ sort, limit: 3, cursor: page.previous_cursor });
        back.unshift(names(page));
      }
      expect(back).toEqual(seen);
    },
  );

  test('sorts access codes in the requested order', async () => {
    expect(names(await list({ sort: 'code' }))).toEqual(CODES);
  });

  test('says which rows a page has, forward and back', async () => {
    const firsts: (number | null)[] = [];
    let page = await list({ limit: 3 });
    firsts.push(page.first);
    for (const way of [
      'next_cursor',
      'next_cursor',
      'previous_cursor',
      'previous_cursor',
    ] as const) {
      page = await list({ limit: 3, cursor: page[way] });
      firsts.push(page.first);
    }
    expect(firsts).toEqual([1, 4, 7, 4, 1]);
    expect((await list({ search: 'nothing like it' })).first).toBe(0);
    // A cursor of the last release has no rank: the page doesn't know.
    const [, ...rest] = JSON.parse(
      Buffer.from((await list({ limit: 3 })).next_cursor ?? '', 'base64url').toString(),
    ) as unknown[];
    const old = Buffer.from(JSON.stringify(['newest', ...rest.slice(0, 3)])).toString('base64url');
    expect(await list({ limit: 3, cursor: old })).toMatchObject({ first: null });
  });

  test('pages stay in place when rows before them are added and removed', async () => {
    const first = await list({ sort: 'code', limit: 3 });
    const { id } = await makeCode(admin, { code: 'ABLE' });
    const second = await list({ sort: 'code', limit: 3, cursor: first.next_cursor });
    expect(names(second)).toEqual(['DELTA', 'ECHO', 'FOXTROT']);
    await admin.call(changeCodes, { body: { action: 'delete', items: [{ id }] } });
  });

  test.each([
    'nonsense',
    Buffer.from('["newest","next",{"$gt":0},"x"]').toString('base64url'),
    Buffer.from('["newest","next",1,{"$gt":""}]').toString('base64url'),
    Buffer.from('["code","next","ALPHA","x"]').toString('base64url'),
  ])('refuses the invalid cursor %s', (cursor) =>
    expectRefused(list({ cursor }), 400, { fields: { cursor: 'Invalid input' } }),
  );

  test('finds access codes by word prefixes and filters', async () => {
    expect(names(await list({ search: 'alp' }))).toEqual(['ALPHA']);
    expect(names(await list({ search: 'BRAVO walk' }))).toEqual(['BRAVO']);
    expect(names(await list({ search: 'lpha' }))).toEqual([]);
    const golf = await list({ search: 'golf' });
    const id = golf.accessCodes[0]?.id ?? '';
    await admin.call(updateCode, { params: { id }, body: { is_active: false } });
    expect(names(await list({ status: 'inactive' }))).toEqual(['GOLF']);
    expect(names(await list({ status: 'active', sort: 'code' }))).toEqual(CODES.slice(0, -1));
    const expires_at = '2020-01-01T00:00:00Z';
    await admin.call(updateCode, { params: { id }, body: { is_active: true, expires_at } });
    expect(names(await list({ status: 'expired' }))).toEqual(['GOLF']);
    expect(await list({ source: 'donation' })).toMatchObject({ accessCodes: [], total: 0 });
    await admin.call(updateCode, { params: { id }, body: { expires_at: '', description: 'new' } });
    expect(names(await list({ search: 'new' }))).toEqual(['GOLF']);
  });
});

describe('several admins at once', () => {
  test('refuses an edit of an outdated version and overwrites nothing', async () => {
    const { id, version } = await makeCode(admin, { description: 'as it was' });
    const change = (body: object) => admin.call(updateCode, { params: { id }, body });
    expect((await change({ description: 'theirs', version })).accessCode.version).toBe(version + 1);
    await expectRefused(change({ max_uses: 5, version }), 409, {
      error: EDITED_TEXT,
      code: EDITED_MEANWHILE,
    });
    const { accessCode } = await admin.call(getCode, { params: { id } });
    expect(accessCode).toMatchObject({ description: 'theirs', max_uses: null });
    await change({ max_uses: 5, version: accessCode.version });
    const now = (await admin.call(getCode, { params: { id } })).accessCode;
    expect(now).toMatchObject({ description: 'theirs', max_uses: 5 });
  });

  test('accepts one of ten edits of the same version', async () => {
    const { id, version } = await makeCode(admin);
    const edits = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        admin.call(updateCode, { params: { id }, body: { max_uses: index + 1, version } }),
      ),
    );
    expect(edits.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await admin.call(getCode, { params: { id } })).accessCode.version).toBe(version + 1);
  });

  test('enables and disables a code regardless of other edits', async () => {
    const { id } = await makeCode(admin);
    await Promise.all(
      Array.from({ length: 3 }, (_, index) =>
        admin.call(updateCode, { params: { id }, body: { description: `edit ${index}` } }),
      ),
    );
    const { accessCode } = await admin.call(updateCode, {
      params: { id },
      body: { is_active: false },
    });
    expect(accessCode).toMatchObject({ is_active: false, version: 4 });
  });

  test('skips and reports rows of a bulk action that another admin edited', async () => {
    const made = [await makeCode(admin), await makeCode(admin), await makeCode(admin)];
    const items = made.map(({ id, version }) => ({ id, version }));
    await admin.call(updateCode, { params: { id: items[1]!.id }, body: { description: 'x' } });
    const outcome = await admin.call(changeCodes, {
      body: { action: 'disable', items: [...items, { id: 'nothing' }] },
    });
    expect(outcome).toEqual({
      done: [items[0]!.id, items[2]!.id],
      skipped: [
        { id: items[1]!.id, why: EDITED_TEXT },
        { id: 'nothing', why: 'Access code not found' },
      ],
    });
    await expectRefused(admin.call(changeCodes, { body: { action: 'enable', items: [] } }), 400);
    await expectRefused(
      admin.call(changeCodes, { body: { action: 'sell' as 'enable', items } }),
      400,
    );
  });
});

test('refuses to delete a row that another admin edited in the meantime', async () => {
  const code = await makeCode(admin);
  const ad = await makeAd(admin);
  const edited = { code: EDITED_MEANWHILE, error: EDITED_TEXT };
  await admin.call(updateCode, { params: { id: code.id }, body: { description: 'Needed' } });
  await admin.call(updateAdvertisement, { params: { id: ad.id }, body: { title: 'Needed' } });
  const seen = { query: { version: 0 } };
  await expectRefused(admin.call(deleteCode, { params: { id: code.id }, ...seen }), 409, edited);
  const deletion = admin.call(deleteAdvertisement, { params: { id: ad.id }, ...seen });
  await expectRefused(deletion, 409, edited);
  const together = (id: string, version: number) => ({
    body: { action: 'delete' as const, items: [{ id, version }] },
  });
  const left = (id: string) => ({ done: [], skipped: [{ id, why: EDITED_TEXT }] });
  expect(await admin.call(changeCodes, together(code.id, 0))).toEqual(left(code.id));
  expect(await admin.call(changeAdvertisements, together(ad.id, 0))).toEqual(left(ad.id));
  const { description } = (await admin.call(getCode, { params: { id: code.id } })).accessCode;
  expect(description).toBe('Needed');
  expect(await admin.call(changeCodes, together(code.id, 1))).toMatchObject({ done: [code.id] });
  const now = { params: { id: ad.id }, query: { version: 1 } };
  expect(await admin.call(deleteAdvertisement, now)).toEqual({});
});

test('exports all rows of the filter and escapes formulas', async () => {
  const starts = ['=', '+', '-', '@', '\t', '\r'];
  for (const [index, start] of starts.entries()) {
    await admin.call(createCode, { body: { code: `FORMULA-${index}`, max_uses: 1 } });
    // No form saves this, but another way into the database could.
    await api.db
      .collection<AccessCodeRow>('access_codes')
      .updateOne({ code: `FORMULA-${index}` }, { $set: { description: `${start}1+1` } });
  }
  const text = await csvOf(pathOf(exportCodes, {}, { search: 'formula', sort: 'code' }));
  expect(text.startsWith('Code,Description,Maximum uses,Uses,Enabled')).toBe(true);
  for (const start of starts.slice(0, -1)) expect(text).toContain(`,'${start}1+1,1,0,yes`);
  expect(text).toContain(`,"'\r1+1",1,0,yes`);
  expect(text.split('\r\n')).toHaveLength(8);
});

test('returns one access code, and 404 for an unknown one', async () => {
  const made = await makeCode(admin);
  expect(await admin.call(getCode, { params: { id: made.id } })).toEqual({ accessCode: made });
  await expectRefused(admin.call(getCode, { params: { id: 'nothing' } }), 404, {
    error: 'Access code not found',
  });
});

test('house ads can be searched, filtered, sorted, changed in bulk, and exported', async () => {
  const one = await makeAd(admin, { title: 'One Kibble', priority: 2 });
  const two = await makeAd(admin, { title: 'Two Bones', priority: 9, placement: 'inline' });
  const old = await makeAd(admin, { title: 'Old Leash', expires_at: '2020-01-01T00:00:00Z' });
  const ids = async (query: object) =>
    (await admin.call(listAdvertisements, { query })).advertisements.map(({ id }) => id);
  expect(await ids({ sort: 'priority' })).toEqual([two.id, one.id, old.id]);
  expect(await ids({ sort: 'title' })).toEqual([old.id, one.id, two.id]);
  expect(await ids({ search: 'bon' })).toEqual([two.id]);
  expect(await ids({ placement: 'inline' })).toEqual([two.id]);
  expect(await ids({ status: 'expired' })).toEqual([old.id]);
  const items = [one, two].map(({ id, version }) => ({ id, version }));
  expect(await admin.call(changeAdvertisements, { body: { action: 'deactivate', items } })).toEqual(
    { done: [one.id, two.id], skipped: [] },
  );
  expect(await ids({ status: 'inactive', sort: 'title' })).toEqual([one.id, two.id]);
  await expectRefused(
    admin.call(updateAdvertisement, { params: { id: one.id }, body: { title: 'X', version: 0 } }),
    409,
    { code: EDITED_MEANWHILE },
  );
  expect(await admin.call(getAdvertisement, { params: { id: one.id } })).toMatchObject({
    advertisement: { title: 'One Kibble', active: false, version: 1 },
  });
  const text = await csvOf(pathOf(exportAdvertisements, {}, { search: 'bones' }));
  expect(text).toContain('Two Bones,,https://kibble.example/shop');
  expect(text).not.toContain('One Kibble');
});

test('shows an uploaded ad image to visitors and refuses other files', async () => {
  const png = await sharp({
    create: { width: 8, height: 8, channels: 3, background: '#235' },
  })
    .png()
    .toBuffer();
  const file = new Blob([new Uint8Array(png)], { type: 'image/png' });
  const { image_url } = await admin.call(uploadAdImage, { file });
  const ad = await makeAd(admin, { image_url, placement: 'sidebar' });
  expect(ad.image_url).toBe(image_url);
  const { ads } = await api.call(listAds, { query: { placement: 'sidebar' } });
  expect(ads[0]?.image_url).toBe(new URL(image_url).pathname);
  const shown = await fetch(`${api.origin}${ads[0]?.image_url}`);
  expect(shown.headers.get('content-type')).toBe('image/webp');
  await expectRefused(
    admin.call(uploadAdImage, { file: new Blob(['<svg/>'], { type: 'image/png' }) }),
    415,
    { error: 'Please select an image file' },
  );
  const large = new Blob([new Uint8Array(5 * 1024 * 1024)], { type: 'image/png' });
  await expectRefused(admin.call(uploadAdImage, { file: large }), 413, {
    error: 'Image size must be less than 5MB',
  });
});

test('alerts can be searched, filtered, and exported', async () => {
  const make = async (title: string, change: object = {}) =>
    (
      await admin.call(createAlert, {
        body: {
          alert_type: 'weather',
          severity: 'minor',
          title,
          description: 'Stay inside.',
          affected_latitude: 10,
          affected_longitude: 20,
          radius_miles: 10,
          ...change,
        },
      })
    ).alert.id;
  const heat = await make('Heat wave');
  const flood = await make('Flood', { severity: 'extreme' });
  const ids = async (query: object) =>
    (await admin.call(listAdminAlerts, { query })).alerts.map(({ id }) => id);
  expect(await ids({ sort: 'oldest' })).toEqual([heat, flood]);
  expect(await ids({ search: 'wave' })).toEqual([heat]);
  expect(await ids({ severity: 'extreme' })).toEqual([flood]);
  expect(await ids({ status: 'over' })).toEqual([]);
  expect(await ids({ source: 'nws' })).toEqual([]);
  expect(await csvOf(pathOf(exportAlerts, {}, { severity: 'extreme' }))).toContain('Flood');
});
