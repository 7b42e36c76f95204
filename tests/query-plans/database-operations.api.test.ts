import { setTimeout as wait } from 'node:timers/promises';
import { next as A } from '@automerge/automerge';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { segmentChanges, type SegmentDocument } from '#shared/chat/document.ts';
import { readThreads } from '#shared/chat/threads.ts';
import { profileChanges, type CardDocument } from '#shared/profile/document.ts';
import { subscribeToPush } from '#shared/push/contract.ts';
import { start } from '#shared/start/contract.ts';
import { stateDigest, writeMarks } from '#shared/sync/state-digest.ts';
import { startPath } from '../../client/app/start-path.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { friends } from '../chat/talk.ts';
import { listen } from '../events/listen.ts';
import { startPushService, type PushService, type TestDevice } from '../push/push-service.ts';
import { rawDeviceOf, type RawDevice } from '../sync/raw-device.ts';
import { monitoredUri, onCommands } from './recorded-queries.ts';

const PAIRS = 10;
/** Longer than the servers gather what follows a change. */
const QUIET_MS = 1_000;
/** Without reads of streams that wait for changes. */
const OPERATIONS = [
  'aggregate',
  'count',
  'delete',
  'distinct',
  'find',
  'findAndModify',
  'insert',
  'update',
];
/** What servers do without anybody's doing. */
const ROUTINE = new Set([
  'nodes',
  'leases',
  'sync_nodes',
  'job_runs',
  // Swept.
  'outbox',
  'message_reports',
  'positions',
  'proximity_events',
]);

let operations: string[] = [];
const stopRecording = onCommands(({ commandName, command }) => {
  if (!OPERATIONS.includes(commandName) || ROUTINE.has(command[commandName] as string)) return;
  operations.push(`${commandName} ${String(command[commandName])}`);
});

let api: TestApi;
let service: PushService;
const pairs: (readonly [TestPerson, TestPerson])[] = [];
beforeAll(async () => {
  service = await startPushService();
  api = await startTestApi(monitoredUri(inject('mongodbUri')));
  pairs.push(
    ...(await Promise.all(
      Array.from({ length: PAIRS }, (_, i) => friends(api, `Ann${i}`, `Bob${i}`)),
    )),
  );
});
afterAll(async () => {
  stopRecording();
  await api.close();
  await service.close();
});

/** Expects at most this many operations for each of those who do something at the same time. */
function expectOperations(most: number, people: number): void {
  const counts = new Map<string, number>();
  for (const each of operations) counts.set(each, (counts.get(each) ?? 0) + 1);
  const listed = [...counts].toSorted(([, a], [, b]) => b - a);
  const each = operations.length / people;
  expect(each <= most ? [] : listed).toEqual([]);
}

test('a message that is pushed takes six operations at most when several come at once', async () => {
  const phones: TestDevice[] = [];
  const authors: ((seq: number) => Promise<void>)[] = [];
  const devices: RawDevice[] = [];
  for (const [ann, bob] of pairs) {
    const phone = service.device();
    await bob.call(subscribeToPush, { body: phone.subscription });
    phones.push(phone);
    const [thread] = readThreads(await api.document(ann.user.documents.contacts));
    const id = thread!.segments[0]!.mine.replace('automerge:', '');
    const device = await rawDeviceOf(api, ann);
    devices.push(device);
    let doc = await device.read<SegmentDocument>(id);
    authors.push(async (seq) => {
      const at = new Date().toISOString();
      const message = { key: `message-${seq}`, seq, device: 'device', at, text: 'At the park?' };
      doc = A.change(doc, { time: 0 }, (draft) =>
        segmentChanges['message.add'].apply(draft, message),
      );
      await device.keep(id, doc);
    });
  }
  const say = async (seq: number) => {
    await Promise.all(authors.map((write) => write(seq)));
    await expect
      .poll(() => phones.map(({ received }) => received.length))
      .toEqual(phones.map(() => seq));
  };
  // Now the choices are in their rows.
  await say(1);
  operations = [];
  await say(2);
  expectOperations(6, PAIRS);
  for (const device of devices) device.close();
});

/** Waits until the servers have done what follows. */
async function untilQuiet(): Promise<void> {
  for (let known = -1; known < operations.length; await wait(QUIET_MS)) known = operations.length;
}

test('a profile that is edited takes six operations at most when several are edited at once', async () => {
  const edits = await Promise.all(
    pairs.map(async ([ann]) => {
      const device = await rawDeviceOf(api, ann);
      const id = ann.user.documents.card.replace('automerge:', '');
      let doc = await device.read<CardDocument>(id);
      return async (about: string) => {
        doc = A.change(doc, { time: 0 }, (draft) =>
          profileChanges['profile.about'].apply(draft, { about }),
        );
        await device.keep(id, doc);
      };
    }),
  );
  await Promise.all(edits.map((edit) => edit('Walks with Rex.')));
  await untilQuiet();
  operations = [];
  await Promise.all(edits.map((edit) => edit('Walks with Rex and Bello.')));
  await untilQuiet();
  expectOperations(6, PAIRS);
});

describe('a page that is opened', () => {
  const [, calls] = startPath({
    isHome: true,
    isPushOn: true,
    alertsCell: { latitude: '51.5', longitude: '-0.12' },
  });
  let marks: string[][];
  beforeAll(async () => {
    marks = await Promise.all(
      pairs.flat().map(async (person) => {
        const device = await rawDeviceOf(api, person);
        const known = Object.values(person.user.documents).map(async (url) => {
          const id = url.replace('automerge:', '');
          return stateDigest(id, A.getHeads(await device.read(id)))!;
        });
        const all = await Promise.all(known);
        device.close();
        return all;
      }),
    );
  });
  const open = async (person: TestPerson, i: number) => {
    const [{ answers }, stream, device] = await Promise.all([
      person.call(start, { query: { calls: calls.join(' ') } }),
      listen(api.origin, person),
      rawDeviceOf(api, person),
    ]);
    expect(answers).toHaveLength(calls.length);
    device.send({ type: 'compare', data: writeMarks(marks[i]!) });
    await device.next(({ type }) => type === 'compared');
    device.close();
    stream.close();
  };
  beforeEach(async () => {
    // No session is cached.
    await api.restartApi();
    await api.runJobs();
    operations = [];
  });

  test('takes six operations at most, also when nobody else does anything', async () => {
    const people = pairs.flat();
    for (const [i, person] of people.entries()) await open(person, i);
    expectOperations(6, people.length);
  });
});
