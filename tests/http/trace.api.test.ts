import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { createDog } from '#shared/dogs/contract.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { traceIdOf, traceparent } from '#shared/trace-context.ts';
import { startTestApi } from '../api.ts';
import { friends, say } from '../chat/talk.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

test('one trace id leads from a call through the API to the change that is on disk, and the logs contain no secret and no text', async () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  onTestFinished(() => write.mockRestore());
  const api = await startTestApi(inject('mongodbUri'), { LOG_LEVEL: 'trace' });
  const [ann, bob] = await friends(api, 'Marked-Ann', 'Marked-Bob');
  await say(ann, bob, 'Marked-message to you');
  await ann.call(reportLocation, { body: { latitude: 12.345678, longitude: 98.765432 } });
  await ann.call(createDog, {
    body: { name: 'Marked-dog', sound_type: 'leash_on' },
    headers: { traceparent: traceparent(TRACE) },
  });
  const cookies = [ann, bob].map(({ jar }) => jar.header.split('=').at(-1)!);
  await api.close();
  write.mockRestore();

  const logged = lines.join('').split('\n').filter(Boolean);
  const ours = logged.flatMap((line) => (line.includes(TRACE) ? [JSON.parse(line) as object] : []));
  expect(ours).toContainEqual(
    expect.objectContaining({ process: 'api', trace: TRACE, path: '/api/dogs', status: 200 }),
  );
  expect(ours).toContainEqual(
    expect.objectContaining({ process: 'sync-server', trace: TRACE, msg: 'internal call handled' }),
  );
  expect(logged.length).toBeGreaterThan(20);
  const { SYNC_SECRET: secret = '' } = api.env;
  for (const text of [
    'Marked-',
    '@example.com',
    '12.345',
    '98.765',
    secret,
    ...cookies,
    ann.user.documents.account.slice(10),
  ])
    expect(logged.filter((line) => line.includes(text))).toEqual([]);
}, 120_000);

test('only valid trace ids are accepted', () => {
  expect(traceIdOf(traceparent(TRACE))).toBe(TRACE);
  expect(traceIdOf(traceparent())).toMatch(/^[\da-f]{32}$/);
  for (const header of [
    undefined,
    '',
    `00-${TRACE}-1-01`,
    `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
  ])
    expect(traceIdOf(header)).toBeNull();
});
