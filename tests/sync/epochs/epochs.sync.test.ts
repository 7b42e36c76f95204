import * as A from '@automerge/automerge';
import { Binary } from 'mongodb';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { deleteAccount, DELETION_WORDS } from '#shared/account/contract.ts';
import type { AccountDocument } from '#shared/account/document.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import { createFriendRequest } from '#shared/friends/contract.ts';
import { readContacts } from '#shared/friends/document.ts';
import { newId } from '#shared/ids.ts';
import { getProfile, saveProfile } from '#shared/profile/contract.ts';
import { readCard } from '#shared/profile/document.ts';
import { forgetDraft } from '../../../api/features/chat/threads.ts';
import { createSyncServerClient } from '../../../api/platform/sync-server-client.ts';
import type { DocumentRow } from '../../../sync-server/core/database.ts';
import { SECRET, startTestApi, type TestApi } from '../../api.ts';
import { DevicesProcess } from '../../chat/simulation/device.ts';
import { newPerson, type SimulatedPerson } from '../../chat/simulation/people.ts';
import {
  endEpochsOf,
  newEpochDevice,
  quietPlace,
  rowOf,
  until,
  valuesOnServer,
} from './epoch-devices.ts';

vi.setConfig({ testTimeout: 120_000 });

let api: TestApi;
let devices: DevicesProcess;
beforeAll(async () => {
  [api, devices] = await Promise.all([startTestApi(inject('mongodbUri')), DevicesProcess.start()]);
});
afterAll(async () => {
  devices.stop();
  await api.close();
});

const newDevice = (person: SimulatedPerson) => newEpochDevice(api, devices, person);
const onServer = (person: SimulatedPerson) => valuesOnServer(api, person);
const endEpochs = (person: SimulatedPerson) => endEpochsOf(api, person);

test('what a device wrote offline before and during the end of an epoch is in the next one, on all devices', async () => {
  const person = await newPerson(api, 'Kim');
  const [phone, tablet] = [await newDevice(person), await newDevice(person)];
  await phone.addDog('Rex');
  await phone.isAtRest();
  await until(async () => expect((await tablet.own()).dogs).toEqual(['Rex']));

  await tablet.setOnline(false);
  await tablet.addDog('Luna');
  await tablet.change('account', 'settings.save', { alert_radius_feet: 250 });
  await tablet.change('account', 'quiet-place.add', { id: newId(), ...quietPlace });
  await tablet.kill();

  const { former, fresh } = await endEpochs(person);
  // The other device goes on in the new documents without a restart.
  await until(async () => {
    await phone.isAtRest();
    expect(await phone.stored()).toEqual(expect.arrayContaining(fresh));
    expect((await phone.stored()).filter((id) => former.includes(id))).toEqual([]);
  });
  await phone.addDog('Max');
  await phone.isAtRest();

  // It starts without a network, shows what it had, and takes another edit.
  await tablet.start();
  const before = { dogs: ['Luna', 'Rex'], radius: 250, quiet: [expect.any(String)] };
  await until(async () => expect(await tablet.own()).toEqual(before));
  await tablet.addDog('Sam');
  await tablet.setOnline(true);
  await until(async () =>
    expect(await onServer(person)).toEqual({ dogs: ['Luna', 'Max', 'Rex', 'Sam'], radius: 250 }),
  );
  for (const device of [phone, tablet]) {
    await device.isAtRest();
    const expected = {
      dogs: ['Luna', 'Max', 'Rex', 'Sam'],
      radius: 250,
      quiet: [expect.any(String)],
    };
    await until(async () => expect(await device.own()).toEqual(expected));
    await until(async () => expect(await device.chip()).toBe('Saved'));
    await until(async () =>
      expect((await device.stored()).filter((id) => former.includes(id))).toEqual([]),
    );
    await device.end();
  }
});

const save = (alert_radius_feet: number) =>
  ['account', 'settings.save', { alert_radius_feet }] as const;

test('a device that was offline for two epochs loses nothing', async () => {
  const person = await newPerson(api, 'Kim');
  const [phone, tablet] = [await newDevice(person), await newDevice(person)];
  await phone.addDog('Rex');
  await until(async () => expect((await tablet.own()).dogs).toEqual(['Rex']));
  await tablet.setOnline(false);
  await tablet.addDog('Luna');
  await tablet.change(...save(250));
  await tablet.kill();
  const first = await endEpochs(person);
  await phone.addDog('Max');
  await until(async () => expect((await onServer(person)).dogs).toEqual(['Max', 'Rex']));
  await endEpochs(person);
  // Only the last one is kept.
  const left = await api.db
    .collection<DocumentRow>('documents')
    .countDocuments({ _id: { $in: first.former } });
  expect(left).toBe(0);
  await tablet.start();
  await tablet.setOnline(true);
  const expected = { dogs: ['Luna', 'Max', 'Rex'], radius: 250 };
  await until(async () => expect(await onServer(person)).toEqual(expected));
  for (const device of [phone, tablet]) {
    await until(async () => expect(await device.own()).toMatchObject(expected));
    await device.isAtRest();
    await device.end();
  }
});

test('what arrived without an acknowledgement is not repeated over a newer value of the next epoch', async () => {
  const person = await newPerson(api, 'Kim');
  const [phone, tablet] = [await newDevice(person), await newDevice(person)];
  tablet.setDeaf(true);
  await tablet.change(...save(250));
  await until(async () => expect((await onServer(person)).radius).toBe(250));
  expect(await tablet.chip()).not.toBe('Saved');
  await tablet.setOnline(false);
  await tablet.kill();
  tablet.setDeaf(false);
  await endEpochs(person);
  await phone.change(...save(150));
  await until(async () => expect((await onServer(person)).radius).toBe(150));
  await tablet.start();
  await tablet.addDog('Luna');
  await tablet.setOnline(true);
  await until(async () => expect(await onServer(person)).toEqual({ dogs: ['Luna'], radius: 150 }));
  await until(async () =>
    expect(await tablet.own()).toMatchObject({ dogs: ['Luna'], radius: 150 }),
  );
  await tablet.isAtRest();
  expect((await onServer(person)).radius).toBe(150);
  for (const device of [phone, tablet]) await device.end();
});

test('what an app without a journal wrote offline is carried over, too', async () => {
  const person = await newPerson(api, 'Kim');
  const [phone, tablet] = [await newDevice(person), await newDevice(person)];
  for (const name of ['Rex', 'Max']) await phone.addDog(name);
  await until(async () => expect((await tablet.own()).dogs).toEqual(['Max', 'Rex']));
  await tablet.setOnline(false);
  await tablet.addDog('Luna');
  await tablet.change('card', 'dog.remove', { id: 'Rex' });
  await tablet.change(...save(250));
  await tablet.kill();
  await tablet.forgetJournal();
  await endEpochs(person);
  await phone.addDog('Sam');
  await until(async () => expect((await onServer(person)).dogs).toEqual(['Max', 'Rex', 'Sam']));
  await tablet.start();
  await tablet.setOnline(true);
  await until(async () =>
    expect(await onServer(person)).toEqual({ dogs: ['Luna', 'Max', 'Sam'], radius: 250 }),
  );
  for (const device of [phone, tablet]) await device.end();
});

test('a call of the API goes to the document of the next epoch, and the profile keeps its id', async () => {
  const person = await newPerson(api, 'Kim');
  const before = await person.call(getProfile);
  let isOver = false;
  let count = 0;
  const saving = (async () => {
    while (!isOver)
      await person.call(saveProfile, {
        body: { display_name: `Kim ${++count}`, is_location_sharing_enabled: count % 2 === 1 },
      });
  })();
  await endEpochs(person);
  isOver = true;
  await saving;
  const { documents } = (await rowOf(api, person))!;
  expect(readCard(await api.document(`automerge:${documents.card}`)).display_name).toBe(
    `Kim ${count}`,
  );
  expect(await person.call(getProfile)).toMatchObject({
    id: before.id,
    display_name: `Kim ${count}`,
    is_location_sharing_enabled: count % 2 === 1,
  });
});

test('deleting the account removes the documents of former epochs', async () => {
  const person = await newPerson(api, 'Kim');
  await endEpochs(person);
  await person.call(deleteAccount, { body: { confirmation: DELETION_WORDS } });
  const rows = api.db.collection<DocumentRow>('documents');
  expect(await rows.countDocuments({ owner_user_id: person.user.id })).toBe(0);
});

test.each(['on the device', 'on the server'])(
  'a former document that cannot be read %s does not keep the device from moving on',
  async (where) => {
    const person = await newPerson(api, 'Kim');
    const [phone, tablet] = [await newDevice(person), await newDevice(person)];
    await phone.addDog('Rex');
    await until(async () => expect((await tablet.own()).dogs).toEqual(['Rex']));
    await tablet.setOnline(false);
    await tablet.addDog('Luna');
    await tablet.change(...save(250));
    await tablet.kill();
    const { former } = await endEpochs(person);
    for (const id of former)
      if (where === 'on the device')
        await (
          await tablet.rewritesStored(id)
        )(() => Buffer.from('damaged'));
      else
        await api.db
          .collection<DocumentRow>('documents')
          .updateOne(
            { _id: id },
            { $set: { quarantine: { failed_at: new Date(), retry_at: new Date('2100-01-01') } } },
          );
    if (where === 'on the server') {
      await api.stopSync();
      await api.startSync();
    }
    await tablet.start();
    await tablet.setOnline(true);
    const expected = { dogs: ['Luna', 'Rex'], radius: 250 };
    await until(async () => expect(await onServer(person)).toEqual(expected));
    await until(async () => expect(await tablet.own()).toMatchObject(expected));
    await until(async () => expect(await tablet.chip()).toBe('Saved'));
    for (const device of [phone, tablet]) await device.end();
  },
);

test('a document that an older app writes after it was carried over is not shown, and loses nothing', async () => {
  const person = await newPerson(api, 'Kim');
  const [phone, tablet] = [await newDevice(person), await newDevice(person)];
  await phone.change(...save(250));
  await until(async () => expect((await tablet.own()).radius).toBe(250));
  await tablet.isAtRest();
  const { account } = (await rowOf(api, person))!.documents;
  const write = await tablet.rewritesStored(account);
  await endEpochs(person);
  await until(async () => expect(await tablet.stored()).not.toContain(account));
  await phone.change(...save(150));
  await until(async () => expect((await tablet.own()).radius).toBe(150));
  await tablet.setOnline(false);
  await tablet.kill();
  const add = documentKinds.account.changes['quiet-place.add'];
  await write((bytes) =>
    A.save(
      A.change(A.load<AccountDocument>(bytes), { time: 0 }, (doc) =>
        add.apply(doc, { id: 'home', ...quietPlace }),
      ),
    ),
  );
  await tablet.start();
  await until(async () => expect(await tablet.own()).toMatchObject({ radius: 150, quiet: [] }));
  await tablet.setOnline(true);
  await until(async () => expect((await phone.own()).quiet).toEqual(['home']));
  await until(async () =>
    expect(await tablet.own()).toMatchObject({ radius: 150, quiet: ['home'] }),
  );
  expect((await onServer(person)).radius).toBe(150);
  for (const device of [phone, tablet]) await device.end();
});

test('a document that cannot be rewritten stays as it is, and holds up no others', async () => {
  const [person, other] = [await newPerson(api, 'Kim'), await newPerson(api, 'Lee')];
  const damaged = (await rowOf(api, person))!.documents.account;
  const rows = api.db.collection<DocumentRow>('documents');
  await rows.updateOne(
    { _id: damaged },
    { $set: { epoch_due: true, snapshot: new Binary(Buffer.from('damaged')) } },
  );
  await api.stopSync();
  await api.startSync();
  await endEpochs(other);
  const row = (await rows.findOne({ _id: damaged }))!;
  expect(row.is_retired ?? false).toBe(false);
  expect(row.is_frozen ?? false).toBe(false);
  expect((row.epoch_due as Date).getTime()).toBeGreaterThan(Date.now());
});

test('contacts go on in the next epoch, and what the API changes meanwhile is in it', async () => {
  const [kim, lee] = [await newPerson(api, 'Kim'), await newPerson(api, 'Lee')];
  const phone = await newDevice(kim);
  const { contacts } = (await rowOf(api, kim))!.documents;
  await api.db
    .collection<DocumentRow>('documents')
    .updateOne({ _id: contacts }, { $set: { epoch_due: true } });
  await Promise.all([
    api.runJobs(),
    lee.call(createFriendRequest, { body: { receiver_user_id: kim.user.id } }),
  ]);
  const fresh = (await rowOf(api, kim))!.documents.contacts;
  expect(fresh).not.toBe(contacts);
  const received = async () => {
    const read = readContacts(await api.document(`automerge:${fresh}`));
    return read.received.map(({ user_id }) => user_id);
  };
  await until(async () => expect(await received()).toEqual([lee.user.id]));
  await until(async () => {
    expect(await phone.stored()).toContain(fresh);
    expect(await phone.stored()).not.toContain(contacts);
    expect(await phone.chip()).toBe('Saved');
  });
  await phone.end();
});

test('a draft is removed from the account of the next epoch by a server that knew the one before', async () => {
  const person = await newPerson(api, 'Kim');
  const before = (await rowOf(api, person))!;
  const draft = { friend_user_id: 'lee', text: 'Hi', at: new Date().toISOString() };
  await api.change(`automerge:${before.documents.account}`, 'draft.set', draft);
  await endEpochs(person);
  const documents = createSyncServerClient(api.env['SYNC_INTERNAL_URL']!, SECRET);
  await forgetDraft(
    { db: api.db, documents, log: pino({ level: 'silent' }) } as never,
    before,
    'lee',
  );
  const { account } = (await rowOf(api, person))!.documents;
  expect(await api.document(`automerge:${account}`)).toMatchObject({ drafts: {} });
});
