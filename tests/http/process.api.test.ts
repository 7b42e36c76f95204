import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { validateCode } from '#shared/access-gate/contract.ts';
import { createBlock, deleteBlock, listBlocks } from '#shared/blocks/contract.ts';
import { createDog } from '#shared/dogs/contract.ts';
import { buildIfStale } from '../../scripts/build/build-if-stale.ts';
import { builtServer } from '../../scripts/build/server-build.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { makeCode } from '../factories.ts';
import { startNats, type TestNats } from '../nats.ts';

let api: TestApi;
let nats: TestNats;
beforeAll(async () => {
  nats = await startNats();
  await buildIfStale(process.env, console.log, undefined, ['servers']);
  api = await startTestApi(inject('mongodbUri'), { NATS_URL: nats.url });
});
afterAll(async () => {
  await api.close();
  await nats.stop();
});

interface Running {
  child: ChildProcess;
  origin: string;
  output(): string;
}

/** Starts another API in its own process, on the same data as the one in the test process. */
async function startProcess(): Promise<Running> {
  const { script, execArgv } = builtServer('api');
  const child = fork(script, {
    execArgv,
    env: { ...process.env, ...api.env, API_PORT: '0', LOG_LEVEL: 'debug' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [message] = (await once(child, 'message')) as [{ ready: boolean; port: number }];
  return { child, origin: `http://127.0.0.1:${message.port}`, output: () => output };
}

test('a server that was frozen does not carry out a call whose client has hung up', async () => {
  const running = await startProcess();
  try {
    const [owner, other] = [await api.as('hung-up@example.com'), await api.as('b@example.com')];
    await owner.call(createBlock, { body: { blocked_user_id: other.user.id } });
    const path = deleteBlock.path.replace(':blockedUserId', other.user.id);
    const url = `${running.origin}/api${path}`;
    running.child.kill('SIGSTOP');
    const call = request(url, { method: 'DELETE', headers: { cookie: owner.jar.header } });
    call.end();
    await once(call, 'finish');
    const closed = once(call.socket!, 'close');
    call.on('error', () => {}).destroy();
    await closed;
    running.child.kill('SIGCONT');
    await expect.poll(running.output).toMatch(/"method":"DELETE".*"status":\d/);
    expect((await owner.call(listBlocks)).blocks).toHaveLength(1);
    await owner.jar.fetch(url, { method: 'DELETE' });
    expect((await owner.call(listBlocks)).blocks).toHaveLength(0);
  } finally {
    running.child.kill('SIGKILL');
  }
});

test('logs who requested what with which result, and no secrets', async () => {
  const running = await startProcess();
  const { code } = await makeCode(await api.asAdmin());
  const person = await api.as('logged@example.com', { access: false });
  const send = (path: string, body: unknown) =>
    person.jar.fetch(`${running.origin}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `key-in-log-${path}` },
      body: JSON.stringify(body),
    });
  expect((await send(validateCode.path, { code })).status).toBe(200);
  expect((await send(createDog.path, { name: 'Secretive', sound_type: 'leash_on' })).status).toBe(
    200,
  );
  await send('/location', { latitude: 51.507351, longitude: -0.127758 });
  await fetch(`${running.origin}/api/oauth/google/redirect_url?login_hint=hinted@example.com`);
  running.child.kill('SIGTERM');
  const [exit] = (await once(running.child, 'exit')) as [number];
  expect(exit).toBe(0);

  const lines = running
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const dog = lines.find((line) => line['path'] === '/api/dogs');
  expect(dog).toMatchObject({ method: 'POST', status: 200, user: person.user.id });
  expect(dog?.['id']).toMatch(/^[0-9a-f]{8}-/);
  const secrets = [
    person.jar.cookies.get('leashwise-session') ?? 'no cookie',
    code,
    'Secretive',
    '51.507',
    '0.1277',
    'hinted',
    api.env['SYNC_SECRET'] ?? 'no secret',
  ];
  for (const secret of secrets) expect(running.output()).not.toContain(secret);
});

test('a session ended in one process ends in the other', async () => {
  const running = await startProcess();
  try {
    const person = await api.as('both@example.com', { access: false });
    const status = async () => (await person.jar.fetch(`${running.origin}/api/users/me`)).status;
    expect(await status()).toBe(200);
    await fetch(`${api.origin}/api/logout`, { headers: { cookie: person.jar.header } });
    await expect.poll(status).toBe(401);
  } finally {
    running.child.kill('SIGTERM');
    await once(running.child, 'exit');
  }
});

test('names the missing settings and does not start', async () => {
  const { script, execArgv } = builtServer('api');
  const child = fork(script, {
    execArgv,
    env: { ...process.env, ...api.env, PUBLIC_ORIGIN: 'https://leashwise.example' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errorOutput = '';
  child.stderr?.on('data', (chunk: Buffer) => (errorOutput += chunk.toString()));
  const [exit] = (await once(child, 'exit')) as [number];
  expect(exit).not.toBe(0);
  expect(errorOutput).toContain('GOOGLE_CLIENT_ID');
});
