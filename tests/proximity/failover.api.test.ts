import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { listBlocks } from '#shared/blocks/contract.ts';
import { createDog, listDogs } from '#shared/dogs/contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { CallError } from '../../client/platform/http/api-client.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { watchMongodb, type WatchedMongodb } from '../sync/watched-mongodb.ts';

let api: TestApi;
let mongodb: WatchedMongodb;
/** The command that fails, and how often. */
let lost = { command: '', collection: '', times: 0 };

beforeAll(async () => {
  mongodb = await watchMongodb(inject('mongodbUri'), (command) => {
    if (lost.times === 0 || command[lost.command] !== lost.collection) return false;
    lost.times -= 1;
    return true;
  });
  api = await startTestApi(mongodb.uri);
});
afterAll(async () => {
  await api.close();
  mongodb.close();
});

const outcomeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: unknown) =>
      error instanceof CallError
        ? `${error.status}, again in ${error.retryAfter} s`
        : String(error),
  );

const here = { latitude: 40, longitude: 20 };
const reportsOf = async (name: string) => {
  const walkers = await Promise.all(
    Array.from({ length: 2 }, (_, i) => api.as(`${name}-${i}@example.com`)),
  );
  const body = { display_name: name, is_location_sharing_enabled: true };
  for (const { call } of walkers) await call(saveProfile, { body });
  return () =>
    Promise.all(walkers.map(({ call }) => outcomeOf(call(reportLocation, { body: here }))));
};

test('retries writing positions when MongoDB closes the connection', async () => {
  const report = await reportsOf('failover');
  await report();
  lost = { command: 'update', collection: 'positions', times: 1 };
  expect(new Set(await report())).toEqual(new Set(['answered']));
  expect(lost.times).toBe(0);
});

test('rejects a position report with 503 and Retry-After while MongoDB is unavailable', async () => {
  const report = await reportsOf('outage');
  await report();
  lost = { command: 'update', collection: 'positions', times: 1_000 };
  expect(new Set(await report())).toEqual(new Set(['503, again in 2 s']));
  lost.times = 0;
  expect(new Set(await report())).toEqual(new Set(['answered']));
});

test('retries reads and idempotent writes when MongoDB closes the connection', async () => {
  const owner = await api.as('repeats@example.com');
  lost = { command: 'find', collection: 'pairs', times: 1 };
  expect(await outcomeOf(owner.call(listBlocks))).toBe('answered');
  expect(lost.times).toBe(0);
  for (const command of ['insert', 'update']) {
    lost = { command, collection: 'idempotency_keys', times: 1 };
    const body = { name: command, sound_type: 'leash_on' as const };
    const added = owner.call(createDog, { body, idempotencyKey: crypto.randomUUID() });
    expect(await outcomeOf(added)).toBe('answered');
    expect(lost.times).toBe(0);
  }
  const { dogs } = await owner.call(listDogs);
  expect(dogs.map(({ name }) => name)).toEqual(['insert', 'update']);
});
