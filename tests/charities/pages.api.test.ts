import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { EDITED_MEANWHILE } from '#shared/admin/paging.ts';
import { editCharity, rejectCharity, updateCharity } from '#shared/charities/admin-contract.ts';
import {
  changeApplication,
  getCharityPage,
  listCharities,
  openApplication,
} from '#shared/charities/contract.ts';
import { charities, charityEmails } from '../../api/features/charities/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import { apply } from './made-charities.ts';

let api: TestApi;
let admin: TestPerson;
let count = 0;
const PHONE = '+1 202 555 0100';
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
});
afterAll(() => api.close());

/** The token of the link in the last email to an address. */
async function tokenTo(email: string): Promise<string> {
  const found = async () => {
    const sent = await api.db
      .collection('sandbox_sent')
      .find({ 'message.to': email })
      .sort({ at: -1 })
      .toArray();
    const texts = sent.map(({ message }) => (message as { text: string }).text);
    return /charity-signup#(\S+)/.exec(texts.join('\n'))?.[1] ?? '';
  };
  await expect.poll(found).not.toBe('');
  return found();
}
async function applied() {
  const email = `page.${++count}.${Date.now()}@example.com`;
  const id = await apply(api.call, { contact_email: email, phone: PHONE });
  return { id, email, token: await tokenTo(email) };
}
const verify = (id: string) =>
  admin.call(updateCharity, { params: { id }, body: { is_verified: true } });
const open = (token: string) => api.call(openApplication, { body: { token } });
const gone = { error: 'Charity not found' };

const logo = async () => {
  const picture = sharp({ create: { width: 80, height: 40, channels: 3, background: '#a05' } });
  return new Blob([new Uint8Array(await picture.png().toBuffer())]);
};

describe('a charity’s public page', () => {
  test('has a logo that visitors see only while it is verified and active', async () => {
    const { id, token } = await applied();
    const none = await open(token);
    expect(none.logo_url).toBeNull();
    const save = async () => {
      const { version } = await open(token);
      const body = { token, version };
      return (await api.call(changeApplication, { body, file: await logo() })).charity.logo_key;
    };
    const get = (key: string | null) => fetch(`${api.origin}/api/public-files/${key}`);
    const [replaced, key] = [await save(), await save()];
    expect((await get(key)).status).toBe(404);
    const { logo_url } = await open(token);
    expect(logo_url).toMatch(/^data:image\/webp;base64,\w+/);
    await verify(id);
    const shown = await get(key);
    expect(shown.headers.get('content-type')).toBe('image/webp');
    expect(shown.headers.get('cache-control')).toBe('private, max-age=300');
    expect((await get(replaced)).status).toBe(404);
    await admin.call(updateCharity, { params: { id }, body: { is_active: false } });
    const again = await fetch(shown.url, {
      headers: { 'if-none-match': shown.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(404);
    expect((await open(token)).logo_url).toBe(logo_url);
  });

  test('is there for everybody once it is verified, without the contact', async () => {
    const { id, email } = await applied();
    await expectRefused(api.call(getCharityPage, { params: { id } }), 404, gone);
    await verify(id);
    const { charity } = await api.call(getCharityPage, { params: { id } });
    expect(charity).toMatchObject({ id, story: null, goal_cents: null, updates: [] });
    for (const personal of [email, 'Chris', PHONE])
      expect(JSON.stringify(charity)).not.toContain(personal);
    const ann = await api.as('ann@example.com');
    const { charities: listed } = await ann.call(listCharities, { query: {} });
    expect(listed.find((each) => each.id === id)).toMatchObject({ phone: PHONE });
    await admin.call(updateCharity, { params: { id }, body: { is_active: false } });
    await expectRefused(api.call(getCharityPage, { params: { id } }), 404, gone);
  });
});

describe('an application', () => {
  test('is opened by the emailed link alone', async () => {
    const { id, token } = await applied();
    expect(await open(token)).toMatchObject({ charity: { id }, rejection: null, version: 0 });
    const error = 'Application not found';
    for (const wrong of [`${token}x`, `${id}.`, 'none', token.replace(id, 'another')])
      await expectRefused(open(wrong), 404, { error });
    // Not by a former contact.
    const body = { contact_email: 'new@example.com' };
    await admin.call(editCharity, { params: { id }, body });
    await expectRefused(open(token), 404, { error });
  });

  test('is corrected after a rejection, and waits again', async () => {
    const { id, token } = await applied();
    await admin.call(rejectCharity, { params: { id }, body: { reason: 'The link is broken.' } });
    const { rejection, version } = await open(token);
    expect(rejection).toBe('The link is broken.');
    const payment_link = 'https://give.example/right';
    const changed = await api.call(changeApplication, { body: { token, version, payment_link } });
    expect(changed).toMatchObject({ charity: { payment_link }, rejection: null });
    await expectRefused(
      api.call(changeApplication, { body: { token, version, story: 'Again' } }),
      409,
      { code: EDITED_MEANWHILE },
    );
  });

  test('changes its website and place, and requires a description', async () => {
    const { token } = await applied();
    const { version } = await open(token);
    const body = { token, version };
    const place = { address: '1 Elm St', city: 'Eugene', state: 'OR', zip_code: '97401' };
    const website_url = 'https://paws.example/';
    const changed = await api.call(changeApplication, { body: { ...body, ...place, website_url } });
    expect(changed.charity).toMatchObject({ ...place, website_url });
    await expectRefused(
      api.call(changeApplication, { body: { token, version: version + 1, description: '' } }),
      400,
    );
  });

  test('changes and removes its logo until it is verified, with the checks of an application', async () => {
    const { id, token } = await applied();
    const change = async (fields: object, file?: Blob) => {
      const { version } = await open(token);
      return api.call(changeApplication, {
        body: { token, version, ...fields },
        ...(file && { file }),
      });
    };
    await change({ website_url: 'https://paws.example/', goal_cents: 500_000 });
    // The longest story, also where each character has three bytes.
    const story = '犬'.repeat(4_000);
    const { charity } = await change({ story, goal_cents: 600_000 }, await logo());
    expect(charity).toMatchObject({
      story,
      goal_cents: 600_000,
      website_url: 'https://paws.example/',
    });
    const words = 'Please select an image file for your logo';
    for (const wrong of [new Blob(['I am a logo']), new Blob(['<svg/>'])])
      await expectRefused(change({}, wrong), 415, { error: words, fields: { logo: words } });
    await expectRefused(change({}, new Blob([new Uint8Array(2 * 1024 * 1024)])), 413);
    // A form has no null: an empty text takes the goal and the story back.
    const emptied = await change({ goal_cents: '', story: '' }, await logo());
    expect(emptied.charity).toMatchObject({ goal_cents: null, story: null });
    expect((await change({ logo_key: null })).charity.logo_key).toBeNull();
    await expectRefused(change({ logo_key: 'somebody’s picture' }), 400);
    const { charity: last } = await change({}, await logo());
    await verify(id);
    // An old email must not show donors another logo.
    const fixed = {
      error:
        'We verified the name, the logo, the links and the address, so only we can change them.',
    };
    await expectRefused(change({}, await logo()), 409, fixed);
    await expectRefused(change({ logo_key: null }), 409, fixed);
    const page = await api.call(getCharityPage, { params: { id } });
    expect(page.charity.logo_key).toBe(last.logo_key);
  });

  test('is corrected before a crash was over: the rejection is not emailed any more', async () => {
    const { id, token } = await applied();
    const rejection = { reason: 'The link is broken.', at: new Date() };
    const $set = { rejection, is_rejection_notified: false };
    await charities(api.db).updateOne({ _id: id }, { $set });
    const { version } = await open(token);
    await api.call(changeApplication, { body: { token, version, story: 'Mended' } });
    await api.runJobs();
    expect(await charities(api.db).findOne({ _id: id })).toMatchObject({
      rejection: null,
      is_rejection_notified: true,
    });
    expect(await charityEmails(api.db).countDocuments({ charity_id: id })).toBe(1);
  });

  test('tells a story, a goal and updates, newest first, also of a verified charity', async () => {
    const { id, token } = await applied();
    await verify(id);
    const tell = async (fields: object) => {
      const { version } = await open(token);
      return api.call(changeApplication, { body: { token, version, ...fields } });
    };
    await tell({ story: 'We began with three dogs.', goal_cents: 500_000, update: 'Ten dogs now' });
    await tell({ update: 'Twelve dogs now' });
    const { charity } = await api.call(getCharityPage, { params: { id } });
    expect(charity).toMatchObject({ story: 'We began with three dogs.', goal_cents: 500_000 });
    expect(charity.updates.map(({ text }) => text)).toEqual(['Twelve dogs now', 'Ten dogs now']);
    // What was verified stays: an old email must not lead donors elsewhere.
    for (const fixed of [
      { payment_link: 'https://evil.example' },
      { charity_name: 'Another' },
      { website_url: 'https://evil.example' },
      { address: '9 Other St' },
      { city: 'Elsewhere' },
      { state: 'NV' },
      { zip_code: '00000' },
    ])
      await expectRefused(tell(fixed), 409, {
        error:
          'We verified the name, the logo, the links and the address, so only we can change them.',
      });
    for (let number = 0; number < 21; number++) await tell({ update: `Update ${number}` });
    const page = await api.call(getCharityPage, { params: { id } });
    expect(page.charity.updates).toHaveLength(20);
    expect(page.charity.updates[0]?.text).toBe('Update 20');
  });

  test('refuses what is too long, and amounts that are none', async () => {
    const { token } = await applied();
    const wrong = (fields: object) =>
      expectRefused(api.call(changeApplication, { body: { token, version: 0, ...fields } }), 400);
    await wrong({ story: 'x'.repeat(4_001) });
    await wrong({ goal_cents: 0 });
    await wrong({ goal_cents: 1.5 });
    await wrong({ update: '' });
    await wrong({ description: ' ' });
  });
});
