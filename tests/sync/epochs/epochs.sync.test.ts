import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { deleteAccount, DELETION_WORDS } from '#shared/account/contract.ts';
import { getProfile, saveProfile } from '#shared/profile/contract.ts';
import { readCard } from '#shared/profile/document.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { me } from '#shared/session/contract.ts';
import { readSettings } from '#shared/settings/document.ts';
import { newId } from '#shared/ids.ts';
import type { DocumentRow } from '../../../sync-server/core/database.ts';
import { startTestApi, type TestApi } from '../../api.ts';
import { DevicesProcess } from '../../chat/simulation/device.ts';
import { Link } from '../../chat/simulation/link.ts';
import { newPerson, type SimulatedPerson } from '../../chat/simulation/people.ts';

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

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 40_000, interval: 50 });

/** A device with the real client, whose network can be cut. */
async function newDevice(person: SimulatedPerson) {
  const link = new Link(Math.random, () => ({
    port: api.syncPort,
    cookie: person.cookie,
    origin: api.env['PUBLIC_ORIGIN'] ?? '',
  }));
  const device = devices.newDevice();
  await device.call('begin', {
    user: await person.call(me),
    network: { origin: api.origin, address: await link.open(), cookie: person.cookie },
    skewMs: 0,
  });
  const own = async () => {
    const { card, account } = await device.call('own');
    return {
      dogs: readCard(card)
        .dogs.map(({ name }) => name)
        .toSorted(),
      radius: readSettings(account).alert_radius_feet,
      quiet: Object.keys((account as { quiet_places?: object } | null)?.quiet_places ?? {}),
    };
  };
  const isAtRest = () =>
    until(async () => expect(await device.call('rest', { friends: [] })).toEqual([]));
  await isAtRest();
  return {
    own,
    isAtRest,
    async setOnline(isOnline: boolean) {
      if (isOnline) link.restore();
      else link.cut();
      await device.call('setOnline', isOnline);
    },
    setDeaf: (isDeaf: boolean) => void (link.isDeaf = isDeaf),
    forgetJournal: () => device.call('forgetJournal'),
    /** Kills the app, a moment after its last edit: one that is younger may be lost (decision 198). */
    async kill() {
      await wait(500);
      await device.call('kill');
    },
    start: () => device.call('start'),
    stored: async () => (await device.call('keeps', { texts: [] })).documents,
    chip: async () => (await device.call('claims', { friends: [] }))?.chip.label,
    addDog: (name: string) => device.call('addDog', { name }),
    change: (kind: 'card' | 'account', name: string, input: unknown) =>
      device.call('change', { kind, name, input }),
    async end() {
      await device.call('end');
      await link.close();
    },
  };
}

const rowOf = ({ user }: SimulatedPerson) =>
  api.db.collection<UserRow>('users').findOne({ _id: user.id });

/** Ends the epochs of a person's documents. @returns the ids of the old and of the new ones */
async function endEpochs(person: SimulatedPerson) {
  const { card, account } = (await rowOf(person))!.documents;
  await api.db
    .collection<DocumentRow>('documents')
    .updateMany({ _id: { $in: [card, account] } }, { $set: { epoch_due: true } });
  await api.runJobs();
  const { documents } = (await rowOf(person))!;
  expect(documents.card).not.toBe(card);
  expect(documents.account).not.toBe(account);
  return { former: [card, account], fresh: [documents.card, documents.account] };
}

/** What the server has of a person's documents now. */
async function onServer(person: SimulatedPerson) {
  const { documents } = (await rowOf(person))!;
  const [card, account] = await Promise.all(
    [documents.card, documents.account].map((id) => api.document(`automerge:${id}`)),
  );
  return {
    dogs: readCard(card)
      .dogs.map(({ name }) => name)
      .toSorted(),
    radius: readSettings(account).alert_radius_feet,
  };
}

const quietPlace = { name: 'Home', latitude: 1, longitude: 2, radius_feet: 300 };

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
  const { documents } = (await rowOf(person))!;
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
