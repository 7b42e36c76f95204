import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildIfStale } from '../../scripts/build/build-if-stale.ts';
import { SystemdUnits } from './systemd-units.ts';

/** The installation of docs/operations.md, “Without containers”, with a certificate of Caddy's own authority. One story. */
const MINUTES = 60_000;
const SLOW = { timeout: 5 * MINUTES, interval: 500 };
const run = promisify(execFile);
const secret = () => randomBytes(32).toString('hex');
const settings = {
  DOMAIN: 'localhost',
  TLS: 'internal',
  ALLOW_SANDBOX: 'true',
  ADMIN_EMAILS: 'admin@example.com',
  SYNC_SECRET: secret(),
  MONGODB_ADMIN_PASSWORD: secret(),
  MONGODB_PASSWORD: secret(),
  NATS_PASSWORD: secret(),
  BACKUP_KEY: secret(),
};
const MEMBERS = ['27017', '27018', '27019'].map((port) => `leashwise-mongodb@${port}`);
const NODES = [
  'leashwise-sync-server@1',
  'leashwise-sync-server@2',
  'leashwise-api@1',
  'leashwise-api@2',
];

let units: SystemdUnits;
beforeAll(async () => {
  await buildIfStale(process.env, console.log);
  units = await SystemdUnits.create(settings);
}, 10 * MINUTES);
afterAll(() => units?.remove(), MINUTES);

/** Asks Caddy, with the root of its own authority. */
async function ask(path: string): Promise<{ status: number; headers: Record<string, unknown> }> {
  const root = 'lib/leashwise-caddy/caddy/pki/authorities/local/root.crt';
  const ca = await readFile(join(units.folder, root));
  return new Promise((resolve, reject) => {
    get(`https://localhost${path}`, { ca }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode!, headers: answer.headers });
    }).once('error', reject);
  });
}

/** Runs the admin command as docs/operations.md says. */
const admin = async (...args: string[]) => {
  const env = {
    ...process.env,
    ...settings,
    MONGODB_MEMBERS: '127.0.0.1:27017,127.0.0.1:27018,127.0.0.1:27019',
  };
  return (await run('node', ['dist/servers/admin.js', ...args], { env })).stdout;
};

test('systemd accepts the units', async () => {
  expect(await units.verify()).toBe('');
});

test(
  'the commands of the units start the whole product',
  async () => {
    for (const name of MEMBERS) await units.start(name);
    expect(await units.start('leashwise-mongodb-init')).toContain('created');
    for (const name of ['leashwise-nats', ...NODES, 'leashwise-caddy']) await units.start(name);
    await expect.poll(async () => (await ask('/api/health')).status, SLOW).toBe(200);
    const page = await ask('/');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain('wss://localhost');
    expect((await admin('status')).match(/: ready/g)).toHaveLength(5);
    expect(await admin('access-code')).toMatch(/^\S+\n$/);
  },
  20 * MINUTES,
);

test(
  'the set-up may run again, and says that it changed nothing',
  async () => {
    expect(await units.start('leashwise-mongodb-init')).toContain('its password is unchanged');
  },
  MINUTES,
);

test(
  'Caddy takes a changed Caddyfile, and each kind of certificate',
  async () => {
    await units.reload('leashwise-caddy');
    expect((await ask('/')).status).toBe(200);
    const headers = join(units.folder, 'headers.caddy');
    await writeFile(headers, '# None\n');
    const issuersFor = async (tls: string) => {
      const env = { ...process.env, DOMAIN: 'walks.example', TLS: tls, HEADERS: headers };
      const { stdout } = await run('caddy', ['adapt', '--config', 'Caddyfile'], { env });
      return JSON.stringify((JSON.parse(stdout) as { apps: { tls?: object } }).apps.tls ?? {});
    };
    expect(await issuersFor('')).not.toContain('"email"');
    expect(await issuersFor('ops@example.com')).toContain('"email":"ops@example.com"');
    expect(await issuersFor('internal')).toContain('"module":"internal"');
    expect(await issuersFor('/a.pem /b.pem')).toContain('"certificate":"/a.pem","key":"/b.pem"');
  },
  MINUTES,
);

test(
  'the nightly backup writes a full backup, and the other one the ledger',
  async () => {
    await units.start('leashwise-backup');
    await units.start('leashwise-ledger');
    const names = await readdir(join(units.folder, 'lib/leashwise-backups'));
    expect(names.toSorted()).toEqual([
      expect.stringMatching(/^full-.*\.backup$/),
      expect.stringMatching(/^ledger-.*\.backup$/),
    ]);
  },
  5 * MINUTES,
);

test(
  'each service stops by itself in its time',
  async () => {
    const ends: Record<string, unknown> = {};
    for (const name of units.running()) ends[name] = await units.stop(name);
    for (const name of [...NODES, ...MEMBERS, 'leashwise-caddy'])
      expect(ends[name]).toEqual([0, null]);
    expect(ends['leashwise-nats']).toBeDefined();
  },
  5 * MINUTES,
);
