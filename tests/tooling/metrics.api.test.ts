import { readFile } from 'node:fs/promises';
import { inject, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createDog } from '#shared/dogs/contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { backups } from '#shared/server/backup-rows.ts';
import { Metrics } from '#shared/server/metrics.ts';
import { freePort } from '../../scripts/stack/ports.ts';
import { readEnv } from '../../sync-server/env.ts';
import { startSyncServer } from '../../sync-server/server.ts';
import { startTestApi } from '../api.ts';

const alertRules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});
const dashboard = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })),
});

const read = (name: string) =>
  readFile(new URL(`../../monitoring/${name}`, import.meta.url), 'utf8');

async function expressions(): Promise<string[]> {
  const { groups } = alertRules.parse(parse(await read('alerts.yml')));
  const { panels } = dashboard.parse(JSON.parse(await read('grafana-dashboard.json')));
  return [
    ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
}

async function start(env: Record<string, string> = {}) {
  const [apiPort, syncPort] = [await freePort(), await freePort()];
  const api = await startTestApi(inject('mongodbUri'), { METRICS_PORT: String(apiPort), ...env });
  onTestFinished(() => api.close());
  const scrape = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return { api, apiPort, syncPort, scrape };
}

test('the metrics count requests, warnings, and jobs without naming anyone', async () => {
  const { api, apiPort, scrape } = await start();
  const people = [await api.as('ann@example.com'), await api.as('bob@example.com')];
  for (const [index, { call }] of people.entries()) {
    const body = { display_name: `Name ${index}`, is_location_sharing_enabled: true };
    await call(saveProfile, { body });
    await call(createDog, { body: { name: 'Rex', sound_type: 'leash_on' } });
    await call(reportLocation, {
      body: { latitude: 10 + index / 10_000, longitude: 20, accuracy: 5 },
    });
  }
  const text = await scrape(apiPort);
  expect(text).toMatch(
    /leashwise_http_request_seconds_count\{process="api",method="POST",path="\/api\/location",status="200"\} 2/u,
  );
  expect(text).toContain('leashwise_warning_distance_feet_count{process="api"} 1');
  expect(text).toContain('leashwise_walkers{process="api"} 2');
  expect(text).toMatch(/background_job_seconds_count\{[^}]*outcome="done"[^}]*\} [1-9]/u);
  for (const { user } of people) expect(text).not.toContain(user.id);
  expect(text).not.toMatch(/@example|Rex|Name 0/u);
});

test('a process is live while it is not ready', async () => {
  const { api, apiPort, scrape } = await start();
  const statusOf = async (url: string) => (await fetch(url)).status;
  const live = `http://127.0.0.1:${apiPort}/live`;
  const ready = `${api.origin}/api/health`;
  expect([await statusOf(live), await statusOf(ready)]).toEqual([200, 200]);
  await api.stopSync();
  expect([await statusOf(live), await statusOf(ready)]).toEqual([200, 503]);
  expect(await scrape(apiPort)).toContain('leashwise_ready{process="api"} 0\n');
  expect(await statusOf(live.replace('/live', '/other'))).toBe(404);
});

test('health checks are no requests: they count nowhere and are not logged', async () => {
  let logged = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    logged += String(text);
    return true;
  });
  onTestFinished(() => write.mockRestore());
  const { api, apiPort, scrape } = await start({ LOG_LEVEL: 'info' });
  await fetch(`${api.origin}/api/health`);
  await api.stopSync();
  expect((await fetch(`${api.origin}/api/health`)).status).toBe(503);
  await fetch(`${api.origin}/api/users/me`);
  // Lines are written in batches.
  await expect.poll(() => logged).toContain('"path":"/api/users/me"');
  expect(logged).not.toContain('"path":"/api/health"');
  const text = await scrape(apiPort);
  expect(text).toContain('path="/api/users/me"');
  expect(text).not.toContain('path="/api/health"');
});

test('a value that can’t be read is left out, and is no zero', async () => {
  const metrics = new Metrics('test');
  let read = async (): Promise<number | undefined> => 7;
  metrics.gauge('some_value', 'Some value.', () => read());
  const lineOf = async () =>
    /^leashwise_some_value.*$/m.exec(await metrics.registry.metrics())?.[0];
  expect(await lineOf()).toBe('leashwise_some_value{process="test"} 7');
  read = async () => {
    throw new Error('no answer');
  };
  expect(await lineOf()).toBeUndefined();
  read = async () => undefined;
  expect(await lineOf()).toBeUndefined();
  read = async () => 0;
  expect(await lineOf()).toBe('leashwise_some_value{process="test"} 0');
});

test('the servers report their starts, backups, the disk and MongoDB', async () => {
  const { api, apiPort, scrape } = await start();
  await backups(api.db).insertOne({ _id: 'full', at: new Date(5_000_000) });
  await expect.poll(() => scrape(apiPort)).toContain('leashwise_ready{process="api"} 1\n');
  const text = await scrape(apiPort);
  expect(text).toMatch(/^leashwise_starts\{process="api"\} [1-9]/m);
  expect(text).toContain('leashwise_backup_timestamp_seconds{process="api"} 5000\n');
  expect(text).toContain('leashwise_mongodb_members_down{process="api"} 0\n');
  const free = Number(/^leashwise_mongodb_disk_free_ratio\{.*\} (\S+)$/m.exec(text)?.[1]);
  expect(free).toBeGreaterThan(0);
  expect(free).toBeLessThan(1);
});

test('every alert rule is tested', async () => {
  const { groups } = alertRules.parse(parse(await read('alerts.yml')));
  const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  const tests = await read('alerts.test.yml');
  const isTested = (name: string) => tests.includes(`"${name}"`) || tests.includes(`: ${name}\n`);
  expect(names.filter((name) => !isTested(name))).toEqual(['Watchdog']);
});

test('every metric in the alert rules and the dashboard exists', async () => {
  const { api, apiPort, syncPort, scrape } = await start();
  await api.stopSync();
  const sync = await startSyncServer(
    readEnv({
      ...api.env,
      SYNC_PORT: '0',
      SYNC_INTERNAL_PORT: '0',
      METRICS_PORT: String(syncPort),
    }),
  );
  onTestFinished(() => sync.close());
  const text = [await scrape(apiPort), await scrape(syncPort)].join('\n');
  const names = new Set(Array.from(text.matchAll(/^# TYPE (\w+)/gmu), ([, name]) => name!));
  const used = new Set(
    (await expressions()).flatMap(
      (expr) => expr.match(/\b(?:leashwise|nodejs|process)_\w+/gu) ?? [],
    ),
  );
  expect(used.size).toBeGreaterThan(15);
  // Only with https; tests/containers reads it.
  names.add('leashwise_certificate_expires_timestamp_seconds');
  const missing = [...used].filter(
    (name) => !names.has(name) && !names.has(name.replace(/_(?:bucket|count|sum)$/u, '')),
  );
  expect(missing).toEqual([]);
});
