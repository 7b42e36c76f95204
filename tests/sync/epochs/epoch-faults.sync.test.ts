import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { createNatsBus } from '#shared/bus/nats-bus.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { openSignals, type Signals } from '#shared/server/signals.ts';
import * as contract from '#shared/sync/contract.ts';
import { startEpochs } from '../../../api/features/account/epochs.ts';
import type { Services } from '../../../api/platform/services.ts';
import { caller } from '../../../client/platform/http/api-client.ts';
import type { DocumentRow, LogRow } from '../../../sync-server/core/database.ts';
import { SECRET, startTestApi, type TestApi } from '../../api.ts';
import { DevicesProcess } from '../../chat/simulation/device.ts';
import { newPerson, type SimulatedPerson } from '../../chat/simulation/people.ts';
import { startNats, type TestNats } from '../../nats.ts';
import { newEpochDevice, quietPlace, rowOf, until, valuesOnServer } from './epoch-devices.ts';
import { startFailingMongodb, type FailingMongodb } from './failing-mongodb.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

let mongodb: FailingMongodb;
let nats: TestNats;
let api: TestApi;
let devices: DevicesProcess;
let signals: Signals;
beforeAll(async () => {
  mongodb = await startFailingMongodb(inject('mongodbUri'));
  nats = await startNats();
  const bus = () => createNatsBus(nats.url, () => {});
  [api, devices] = await Promise.all([
    startTestApi(mongodb.uri, {}, [bus, bus]),
    DevicesProcess.start(),
  ]);
  signals = openSignals(api.db.collection('signals'), () => {});
});
afterAll(async () => {
  devices.stop();
  await signals.close();
  await api.close();
  await nats.stop();
  mongodb.close();
});

type Kind = 'card' | 'account';

/** Runs the job that replaces documents for one, which ends at the first failure, as with its server. */
async function replace(document: { document_id: string; kind: Kind; owner_user_id: string }) {
  const origin = String(api.env['SYNC_INTERNAL_URL']).split(',')[0]!;
  const ask = caller({ origin, headers: { authorization: `Bearer ${SECRET}` } });
  // The sync server may wait for a write until it succeeds.
  const ended = mongodb.failed.then(() => {
    throw new Error('ended');
  });
  ended.catch(() => {});
  const call = ((...given: Parameters<typeof ask>) =>
    Promise.race([ask(...given), ended])) as typeof ask;
  const of = (documentId: string) => ({ params: { documentId } });
  const documents: Partial<Services['documents']> = {
    endingEpochs: async () => [document],
    succeed: async (id) => (await call(contract.succeedDocument, of(id))).document_id,
    setReaders: async (id, reader_user_ids) =>
      void (await call(contract.setReaders, { ...of(id), body: { reader_user_ids } })),
    disconnect: async (body) => void (await call(contract.disconnect, { body })),
    remove: async (id) => (await call(contract.removeDocument, of(id))).successor,
    endEpoch: async (id) => void (await call(contract.endEpoch, of(id))),
  };
  let run = async () => {};
  const registerJob: Services['registerJob'] = (_, work) =>
    void (run = async () => void (await work(true)));
  startEpochs({ db: api.db, documents, signals, registerJob } as Services);
  await Promise.race([run(), ended]);
}

const rows = () => api.db.collection<DocumentRow>('documents');

const MUCH_LATER = new Date('2999-01-01');

/** Leaves all replacements to the API from now on. */
async function runJobs(): Promise<void> {
  await rows().updateMany({ epoch_due: { $exists: true } }, { $set: { epoch_due: true } });
  await api.runJobs();
}

/** Copies what a backup has of a person. @returns how to restore it */
async function backUp({ user: { id } }: SimulatedPerson): Promise<() => Promise<void>> {
  const ofUser = [
    { collection: api.db.collection<{ _id: string }>('users'), filter: { _id: id } },
    { collection: api.db.collection<{ _id: string }>('cards'), filter: { _id: id } },
    { collection: rows(), filter: { owner_user_id: id } },
  ];
  const backup = await Promise.all(
    ofUser.map(({ collection, filter }) => collection.find(filter as never).toArray()),
  );
  const ids = backup[2]!.map(({ _id }) => _id);
  const log = api.db.collection<LogRow>('document_log');
  const inLog = await log.find({ 'entries.document': { $in: ids } }).toArray();
  return async () => {
    const all = await rows().find({ owner_user_id: id }).toArray();
    await log.deleteMany({ 'entries.document': { $in: all.map(({ _id }) => _id) } });
    if (inLog.length > 0) await log.insertMany(inLog).catch(ignoreDuplicates);
    for (const [i, { collection, filter }] of ofUser.entries()) {
      await collection.deleteMany(filter);
      if (backup[i]!.length > 0) await collection.insertMany(backup[i] as never);
    }
  };
}

/** Others may share a record of the log. */
const ignoreDuplicates = (error: unknown) => {
  if (!isDuplicate(error)) throw error;
};

async function restartSync(between = async () => {}): Promise<void> {
  await Promise.all([api.stopSync(0), api.stopSync(1)]);
  await between();
  await Promise.all([api.startSync(0), api.startSync(1)]);
}

/** A person with a phone on one node, and a tablet on another one that is offline with edits. */
async function newCase(kind: Kind, step: number, isCarriedOut: boolean) {
  const person = await newPerson(api, 'Kim');
  const [phone, tablet] = [
    await newEpochDevice(api, devices, person, 0),
    await newEpochDevice(api, devices, person, 1),
  ];
  await phone.addDog('Rex');
  await phone.isAtRest();
  await until(async () => expect((await tablet.own()).dogs).toEqual(['Rex']));
  await tablet.setOnline(false);
  await tablet.addDog('Luna');
  await tablet.change('account', 'quiet-place.add', { id: 'home', ...quietPlace });
  const radius = 110 + step;
  let restore = async () => {};
  return {
    name: `${kind} ${step} ${isCarriedOut ? 'unanswered' : 'not carried out'}`,
    tablet,
    phone,
    restore: () => restore(),
    /** Replaces the document up to the step. @returns whether it failed there */
    async fail(): Promise<string | null> {
      const { documents } = (await rowOf(api, person))!;
      const document_id = documents[kind];
      // The API leaves it to this test until later.
      await rows().updateOne({ _id: document_id }, { $set: { epoch_due: MUCH_LATER } });
      mongodb.failAfter(step, isCarriedOut);
      const error = await replace({ document_id, kind, owner_user_id: person.user.id }).catch(
        (failure: unknown) => failure,
      );
      const failedAt = mongodb.isFailing ? mongodb.writes.at(-1)! : null;
      mongodb.failAfter(Infinity, false);
      expect(error === undefined).toBe(failedAt === null);
      restore = await backUp(person);
      await phone.addDog('Max');
      await phone.change('account', 'settings.save', { alert_radius_feet: radius });
      return failedAt;
    },
    async expectOnAll(dogs: string[]) {
      const expected = { dogs, radius };
      await until(async () => expect(await valuesOnServer(api, person)).toEqual(expected));
      for (const device of [phone, tablet]) {
        await until(async () =>
          expect(await device.own()).toEqual({ ...expected, quiet: ['home'] }),
        );
        await device.isAtRest();
        await until(async () => expect(await device.chip()).toBe('Saved'));
      }
      const { documents } = (await rowOf(api, person))!;
      // The current one and the one before, which nobody writes.
      const owned = await rows().find({ owner_user_id: person.user.id, kind }).toArray();
      expect(owned).toHaveLength(2);
      const open = owned.filter(({ is_frozen }) => !is_frozen);
      expect(open.map(({ _id }) => _id)).toEqual([documents[kind]]);
    },
  };
}

test('the end of an epoch goes on after a failure at any step, and after a backup of any moment was restored', async () => {
  const cases: Awaited<ReturnType<typeof newCase>>[] = [];
  for (const [kind, isCarriedOut] of [
    ['card', false],
    ['account', true],
  ] as const) {
    const failures: string[] = [];
    for (let step = 0; ; step++) {
      const one = await newCase(kind, step, isCarriedOut);
      cases.push(one);
      const failure = await one.fail();
      if (failure === null) break;
      failures.push(failure);
    }
    // Retiring, making, naming and placing it, and opening it to devices.
    expect(failures.length).toBeGreaterThan(5);
  }
  const all = (work: (one: (typeof cases)[number]) => Promise<unknown>) =>
    Promise.all(
      cases.map((one) =>
        work(one).catch((error: Error) => {
          throw new Error(`${one.name}: ${error.message}`);
        }),
      ),
    );
  await restartSync();
  await runJobs();
  await all(({ tablet }) => tablet.setOnline(true));
  await all(({ expectOnAll }) => expectOnAll(['Luna', 'Max', 'Rex']));
  await all(({ phone }) => phone.addDog('Sam'));
  await all(({ phone }) => phone.isAtRest());
  await restartSync(async () => {
    for (const { restore } of cases) await restore();
  });
  await api.restartApi();
  await runJobs();
  await all(({ tablet }) => tablet.addDog('Tim'));
  await all(({ expectOnAll }) => expectOnAll(['Luna', 'Max', 'Rex', 'Sam', 'Tim']));
  await all(({ phone }) => phone.end());
  await all(({ tablet }) => tablet.end());
});
