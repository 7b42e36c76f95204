import type { Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { weatherReadings } from '../../api/features/weather/collections.ts';
import type { WeatherProvider } from '../../api/features/weather/provider.ts';
import { openReadings } from '../../api/features/weather/readings.ts';
import { createSandboxWeather } from '../../api/features/weather/sandbox.ts';
import { ProviderFailure } from '../../api/platform/http/provider-failure.ts';
import { closeTestDatabase, openTestDatabase } from '../databases.ts';

let db: Db;
beforeAll(async () => {
  db = await openTestDatabase(inject('mongodbUri'));
});
afterAll(async () => {
  await closeTestDatabase(db);
});

let places = 0;
const somewhere = () => ({ latitude: 10 + (places += 1), longitude: 20 });

/** A provider that counts its calls and responds once opened. */
function provider(fail?: () => ProviderFailure | undefined) {
  let calls = 0;
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const counting: WeatherProvider = {
    async read(place, signal) {
      calls += 1;
      await gate;
      const failure = fail?.();
      if (failure) throw failure;
      return createSandboxWeather.read(place, signal);
    },
  };
  return { counting, open, calls: () => calls };
}

/** Several processes on the same database. */
const processes = (count: number, from: WeatherProvider, timeoutMs = 5_000) =>
  Array.from({ length: count }, () => openReadings(db, from, timeoutMs));

describe('one cell', () => {
  test('requests a cell once for 50 simultaneous callers in five processes', async () => {
    const { counting, open, calls } = provider();
    const servers = processes(5, counting);
    const place = somewhere();
    const asked = Array.from({ length: 50 }, (_, index) =>
      servers[index % 5]!.at(
        // Each a few meters from the others.
        { latitude: place.latitude + index * 0.000005, longitude: place.longitude },
        false,
      ),
    );
    open();
    const answers = await Promise.all(asked);
    expect(calls()).toBe(1);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers[0]).toMatchObject({ latitude: place.latitude, longitude: 20 });
  });

  test('requests a cell again in the next ten minutes of the hour', async () => {
    const { counting, open, calls } = provider();
    open();
    const [one] = processes(1, counting);
    const place = somewhere();
    const first = await one!.at(place, false);
    expect(first.retrieved_at.getTime() % 600_000).toBe(0);
    await weatherReadings(db).updateOne(
      { 'reading.id': first.id },
      { $set: { 'reading.retrieved_at': new Date(first.retrieved_at.getTime() - 600_000) } },
    );
    expect((await one!.at(place, false)).id).not.toBe(first.id);
    expect(calls()).toBe(2);
  });

  test('requests a cell again on a forced refresh, once for simultaneous callers', async () => {
    const { counting, open, calls } = provider();
    open();
    const servers = processes(3, counting);
    const place = somewhere();
    const first = await servers[0]!.at(place, false);
    const again = await Promise.all(servers.map((one) => one.at(place, true)));
    for (const { id } of again) expect(id).not.toBe(first.id);
    expect(calls()).toBeLessThanOrEqual(4);
    const last = await servers[0]!.at(place, false);
    expect(again.map(({ id }) => id)).toContain(last.id);
  });

  test('shares a failure and waits as long as the provider asks', async () => {
    const { counting, open, calls } = provider(
      () => new ProviderFailure('too often', { status: 429, retryAfterMs: 90_000 }),
    );
    const servers = processes(4, counting);
    const place = somewhere();
    const asked = Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => servers[index % 4]!.at(place, index % 2 === 0)),
    );
    open();
    for (const outcome of await asked)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 429 } });
    await expect(servers[0]!.at(place, true)).rejects.toMatchObject({ status: 429 });
    expect(calls()).toBe(1);

    const over = { $set: { 'failure.until': new Date(0) } };
    await weatherReadings(db).updateOne({ 'failure.status': 429 }, over);
    await expect(servers[1]!.at(place, false)).rejects.toMatchObject({ status: 429 });
    expect(calls()).toBe(2);
  });

  test('recovers from a failure and from a server that stopped during a request', async () => {
    let fails = true;
    const { counting, open } = provider(() => (fails ? new ProviderFailure('odd') : undefined));
    open();
    const [one] = processes(1, counting);
    const place = somewhere();
    await expect(one!.at(place, false)).rejects.toThrow(ProviderFailure);
    fails = false;
    await weatherReadings(db).updateMany(
      { failure: { $ne: null } },
      {
        $set: {
          'failure.until': new Date(0),
          leased_by: 'somebody dead',
          leased_until: new Date(Date.now() + 500),
        },
      },
    );
    expect(await one!.at(place, false)).toMatchObject({ latitude: place.latitude });
  });
});

test('deletes cells that were not requested for an hour', async () => {
  const { counting, open } = provider();
  open();
  const [one] = processes(1, counting);
  const { id } = await one!.at(somewhere(), false);
  await one!.runJob();
  expect(await weatherReadings(db).countDocuments({ 'reading.id': id })).toBe(1);
  await weatherReadings(db).updateOne(
    { 'reading.id': id },
    { $set: { expires_at: new Date(Date.now() - 1) } },
  );
  await one!.runJob();
  expect(await weatherReadings(db).countDocuments({ 'reading.id': id })).toBe(0);
});
