import { randomBytes, randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { AutomergeUrl } from '@automerge/automerge-repo';
import { MongoClient } from 'mongodb';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { validateCode } from '#shared/access-gate/contract.ts';
import { deleteAccount, DELETION_WORDS } from '#shared/account/contract.ts';
import type { AccountDocument } from '#shared/account/document.ts';
import { createBlock, listBlocks } from '#shared/blocks/contract.ts';
import { listDogs } from '#shared/dogs/contract.ts';
import { decideReport } from '#shared/moderation/admin-contract.ts';
import { reportMessage } from '#shared/moderation/contract.ts';
import { checkDonation } from '#shared/payments/contract.ts';
import { backups } from '#shared/server/backup-rows.ts';
import { logout, me } from '#shared/session/contract.ts';
import type { DonationRow } from '../../api/features/payments/collections.ts';
import { caller } from '../../client/platform/http/api-client.ts';
import { createBackup } from '../../scripts/backup/create-backup.ts';
import { restoreBackup } from '../../scripts/backup/restore-backup.ts';
import type { DocumentRow } from '../../sync-server/core/database.ts';
import { findTracesIn } from '../account/find-personal-data.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { createMember, friends, say, threadsOf } from '../chat/talk.ts';
import { makeCode, makeDog } from '../factories.ts';
import { readableBy } from '../moderation/visible-messages.ts';
import { donate, handIn, type Payer } from '../payments/pay.ts';
import { startStripeEmulator, type StripeEmulator } from '../payments/stripe-emulator.ts';
import { expectRefused } from '../refusals.ts';
import { openDevice } from '../sync.ts';

const WEBHOOK_SECRET = 'whsec_of_the_tests';
const DATABASE = `drill-${randomUUID()}`;
/** Not the one that vitest runs. */
const pauseProgram = { script: 'scripts/cli/admin.ts', execArgv: ['--import', 'tsx'] };

const key = randomBytes(32);
let folder: string;
let stripe: StripeEmulator;
let api: TestApi;
let secret: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leashwise-drill-'));
  stripe = await startStripeEmulator();
  api = await start(DATABASE);
  secret = api.env['SYNC_SECRET']!;
});
afterAll(async () => {
  await api.close();
  await dropDatabase(DATABASE);
  await stripe.close();
  await rm(folder, { recursive: true });
});

const start = (database: string) =>
  startTestApi(inject('mongodbUri'), {
    MONGODB_DB: database,
    STRIPE_SECRET_KEY: 'sk_test_secret',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_public',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.url,
  });

async function dropDatabase(name: string): Promise<void> {
  const client = await MongoClient.connect(inject('mongodbUri'));
  await client.db(name).dropDatabase();
  await client.close();
}

const backUp = async (kind: 'full' | 'changes' | 'ledger') =>
  (
    await createBackup({
      uri: inject('mongodbUri'),
      database: DATABASE,
      key,
      kind,
      target: folder,
      syncSecret: secret,
      pauseProgram,
    })
  ).path;

const restore = (archive: string, settings: Partial<Parameters<typeof restoreBackup>[0]> = {}) =>
  restoreBackup({
    uri: inject('mongodbUri'),
    database: DATABASE,
    key,
    archive,
    isReplacing: false,
    syncSecret: secret,
    replacedSecret: secret,
    storeSecret: () => {},
    log: () => {},
    pauseProgram,
    ...settings,
  });

let tokens = 0;
const token = (kind: string) =>
  JSON.stringify({ id: `tok_${kind}${++tokens}`, object: 'token', type: 'card' });

/** Has a slow payment succeed at Stripe. Its event is lost. */
async function succeed(donation: string) {
  const row = await api.db.collection<DonationRow>('donations').findOne({ _id: donation });
  const intent = stripe.intents.get(row?.payment_id ?? '')!;
  intent.status = 'succeeded';
  return intent;
}

/** Sends Stripe's event about a payment. */
async function notify(intent: object): Promise<void> {
  const event = { id: `evt_${randomUUID()}`, object: 'event', type: 'payment_intent.succeeded' };
  const payload = JSON.stringify({ ...event, data: { object: intent } });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
  await fetch(`${api.origin}/api/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  });
}

/** Opens a device with an own document of a person. */
async function deviceOf<Doc>({ jar }: TestPerson, url: string) {
  const headers = { cookie: jar.header, origin: api.env['PUBLIC_ORIGIN']! };
  const device = await openDevice(() => api.syncPort, headers);
  return { ...device, handle: await device.repo.find<Doc>(url as AutomergeUrl) };
}

const accountOf = async ({ user }: TestPerson) =>
  (await api.document(user.documents.account)) as AccountDocument;
const donationsOf = (id: string) =>
  api.db.collection<DonationRow>('donations').findOne({ _id: id });
const confirms = () => stripe.seen.filter(({ call }) => call.endsWith('/confirm')).length;
const eventually = <T>(ask: () => Promise<T>) => expect.poll(ask, { timeout: 60_000 });

async function removeByModerator(
  admin: TestPerson,
  author: TestPerson,
  reader: TestPerson,
  id: string,
): Promise<void> {
  const body = {
    message_id: id,
    reported_user_id: author.user.id,
    report_type: 'harassment',
    description: 'This is unkind.',
  } as const;
  const { report } = await reader.call(reportMessage, { body });
  const decision = { version: 0, status: 'resolved', remove_message: true } as const;
  await admin.call(decideReport, { params: { id: report.id }, body: decision });
}

test('an old backup over a running installation: devices bring back their changes, deleted stays deleted, money and codes agree', async () => {
  const admin = await api.asAdmin();
  const [wolf, ann] = await friends(api, 'Wolf', 'Ann');
  const [kim, lee] = await friends(api, 'Kim', 'Lee');
  const [max, mia] = await friends(api, 'Max', 'Mia');
  const leaver = await createMember(api, 'Leaver');
  const thief = await createMember(api, 'Thief');
  await say(wolf, ann, 'kind');
  const unkind = await say(wolf, ann, 'unkind-marked');
  await say(kim, lee, 'hello');
  const once = await makeCode(admin, { max_uses: 1 });
  const payer: Payer = api.visitor();
  const slow = await donate(payer);
  await expectRefused(handIn(payer, slow, token('slow')), 503);
  const device = await deviceOf<AccountDocument>(max, max.user.documents.account);
  const full = await backUp('full');

  // After the backup:
  device.handle.change((doc) => void (doc.settings['confirmed'] = true));
  await eventually(async () => (await accountOf(max)).settings['confirmed']).toBe(true);
  await say(max, mia, 'later');
  const newcomer = await createMember(api, 'Newcomer');
  await makeDog(newcomer, { name: 'Bello' });
  const phone = await deviceOf<{ dogs: Record<string, unknown> }>(
    newcomer,
    newcomer.user.documents.card,
  );
  await removeByModerator(admin, wolf, ann, unkind.id);
  expect(await readableBy(api, ann)).toEqual(['kind']);
  const ended = [leaver, thief].map(({ jar }) => jar.header);
  await leaver.call(deleteAccount, { body: { confirmation: DELETION_WORDS } });
  await thief.call(logout);
  await kim.call(createBlock, { body: { blocked_user_id: lee.user.id } });
  const guest = await api.as('guest-of-drill@example.com', { access: false });
  await guest.call(validateCode, { body: { code: once.code } });
  await notify(await succeed(slow));
  const { access_code } = await payer.call(checkDonation, { body: { donation_id: slow } });
  expect(access_code).toMatch(/^PAW/);
  const second: Payer = api.visitor();
  const later = await donate(second);
  const paid = await handIn(second, later, token('visa'));
  const charges = confirms();
  const unkindTraces = async () => (await findTracesIn(api.db, ['unkind-marked'])).toSorted();
  const traces = await unkindTraces();
  expect(traces).toHaveLength(2);

  // The installation goes back to the backup. One device has a change that no server has seen.
  device.cut();
  phone.cut();
  device.handle.change((doc) => void (doc.settings['unsent'] = true));
  await expect(restore(full)).rejects.toThrow('Stop all API and sync nodes');
  await api.stopApi();
  await api.stopSync();
  await expect(restore(full)).rejects.toThrow('There is data in this installation');
  const storage = () =>
    api.db.collection<{ _id: string; storage_id: string }>('sync_server').findOne();
  const before = await storage();
  await restore(full, { isReplacing: true });
  expect((await storage())?.storage_id).not.toBe(before?.storage_id);
  // Before any server has started: nobody but its author can read what was removed.
  const readable = await api.db
    .collection<DocumentRow>('documents')
    .find({ kind: 'segment', owner_user_id: wolf.user.id, reader_user_ids: ann.user.id })
    .toArray();
  expect(readable).toEqual([]);
  await api.startSync();
  await api.startApi();
  device.restore();
  phone.restore();

  await eventually(async () => (await accountOf(max)).settings).toMatchObject({
    confirmed: true,
    unsent: true,
  });
  await eventually(() => newcomer.call(listDogs)).toMatchObject({ dogs: [{ name: 'Bello' }] });
  await eventually(() => readableBy(api, ann)).toEqual(['kind']);
  // Only where moderators see it, as before.
  await eventually(unkindTraces).toEqual(traces);
  for (const cookie of ended)
    await expectRefused(caller({ origin: api.origin, headers: { cookie } })(me), 401);
  await eventually(
    async () => await findTracesIn(api.db, [leaver.user.documents.card.slice(10)]),
  ).toEqual([`users: "${leaver.user.id}"`]);
  expect((await kim.call(listBlocks)).blocks).toHaveLength(1);
  await eventually(() => threadsOf(api, lee)).toEqual([]);
  expect(await guest.call(me)).toMatchObject({ has_access: true });
  await expectRefused(api.visitor().call(validateCode, { body: { code: once.code } }), 400);
  expect(await donationsOf(slow)).toMatchObject({ payment_status: 'completed' });
  expect(await second.call(checkDonation, { body: { donation_id: later } })).toMatchObject({
    access_code: paid.access_code,
  });
  expect(confirms()).toBe(charges);
  device.close();
  phone.close();
}, 300_000);

test('a lost disk: a backup with changes is the state of its moment, and a payment is settled once with the gateway', async () => {
  const [uma, vic] = await friends(api, 'Uma', 'Vic');
  await say(uma, vic, 'before');
  const unchanged = await createMember(api, 'Unchanged');
  const payer: Payer = api.visitor();
  const slow = await donate(payer);
  await expectRefused(handIn(payer, slow, token('slow')), 503);
  await backUp('full');
  await say(uma, vic, 'between');
  await makeDog(unchanged, { name: 'Waldi' });
  const archive = await backUp('changes');
  await succeed(slow);
  const charges = confirms();
  await api.stopApi();
  await api.stopSync();
  const names = await api.db.listCollections().toArray();
  const counted = ['documents', 'document_log', 'messages', 'users', 'donations'];
  const counts = () => Promise.all(counted.map((name) => api.db.collection(name).countDocuments()));
  const before = await counts();
  expect(names.length).toBeGreaterThan(counted.length);
  await api.db.dropDatabase();

  // An interrupted restore serves nothing, and can be repeated.
  let batches = 0;
  const interrupted = restore(archive, {
    onBatch() {
      if (++batches === 5) throw new Error('the power failed');
    },
  });
  await expect(interrupted).rejects.toThrow('the power failed');
  await expect(api.startSync()).rejects.toThrow('isn’t finished');
  await expect(api.startApi()).rejects.toThrow('isn’t finished');
  await restore(archive);
  expect(await counts()).toEqual(before);
  await api.startSync();
  await api.startApi();
  expect(await readableBy(api, vic)).toEqual(['before', 'between']);
  expect(await unchanged.call(listDogs)).toMatchObject({ dogs: [{ name: 'Waldi' }] });
  await eventually(async () => (await donationsOf(slow))?.payment_status).toBe('completed');
  expect((await payer.call(checkDonation, { body: { donation_id: slow } })).access_code).toMatch(
    /^PAW/,
  );
  expect(confirms()).toBe(charges);
}, 300_000);

test('nothing is written if the base of a backup is missing or the secret is another one', async () => {
  const [name] = (await readdir(folder)).filter((each) => each.startsWith('changes'));
  const alone = await mkdtemp(join(tmpdir(), 'leashwise-drill-'));
  await copyFile(join(folder, name!), join(alone, basename(name!)));
  try {
    await expect(restore(join(alone, name!))).rejects.toThrow('isn’t in the same folder');
    const other = restore(join(folder, name!), {
      database: 'drill-nothing',
      isReplacing: true,
      syncSecret: 'another secret',
    });
    await expect(other).rejects.toThrow(/isn’t the one of the backup.*: SYNC_SECRET=(.+)$/);
    await expect(other).rejects.toThrow(secret);
    expect(await api.db.collection('users').countDocuments()).toBeGreaterThan(0);
  } finally {
    await rm(alone, { recursive: true });
  }
});

test('a backup restores with its key alone, and the servers report how old it is', async () => {
  const archive = await backUp('full');
  const stored: string[] = [];
  const database = `drill-${randomUUID()}`;
  try {
    await restore(archive, {
      database,
      syncSecret: null,
      replacedSecret: null,
      storeSecret: (value) => stored.push(value),
    });
    expect(stored).toEqual([secret]);
  } finally {
    await dropDatabase(database);
  }
  const [, at] = /full-(.{13})/.exec(archive)!;
  const row = await backups(api.db).findOne({ _id: 'full' });
  expect(row?.at.toISOString().slice(0, 13)).toBe(at);
});
