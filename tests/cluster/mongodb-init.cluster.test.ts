import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { describe, expect, inject, test, vi } from 'vitest';
import { ELECTION } from '../../scripts/docker/election.ts';
import { freePort } from '../../scripts/stack/ports.ts';
import { createDatabaseDir } from '../../scripts/test/database-dir.ts';

const PASSWORDS = {
  MONGODB_ADMIN_PASSWORD: 'the-password-of-the-administrator',
  MONGODB_PASSWORD: 'the-password-of-the-servers',
};
/** Each test starts some forty processes. */
const TEST_MS = 900_000;

/** What a run printed; `code` is null if it was killed. */
interface Run {
  code: number | null;
  lines: string[];
  errors: string;
}

/** Three new members with a key file, as in docker-compose.yml, and `mongodb-init` for them. */
async function newInstallation() {
  const directory = await createDatabaseDir('init');
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const key = join(directory, 'keyfile');
  await writeFile(key, randomBytes(500).toString('base64'), { mode: 0o400 });
  const members: ChildProcess[] = [];

  async function start(index: number): Promise<void> {
    const path = join(directory, String(index));
    await mkdir(path, { recursive: true });
    const options =
      `--dbpath ${path} --port ${ports[index]} --bind_ip 127.0.0.1 --nounixsocket --replSet leashwise ` +
      `--keyFile ${key} --wiredTigerCacheSizeGB 0.25 --oplogSize 50`;
    members[index] = spawn(inject('mongod'), options.split(' '), { stdio: 'ignore' });
  }
  async function kill(index: number): Promise<void> {
    const member = members[index];
    if (!member || member.exitCode !== null || member.signalCode !== null) return;
    const ended = once(member, 'exit');
    member.kill('SIGKILL');
    await ended;
  }
  const hosts = ports.map((port) => `127.0.0.1:${port}`);
  const connect = (username: string, password: string) =>
    new MongoClient(`mongodb://${hosts.join(',')}/?replicaSet=leashwise&authSource=admin`, {
      auth: { username, password },
    });
  for (const index of ports.keys()) await start(index);
  return {
    /** @param onLine called with the number of each printed line */
    async init(
      env: Record<string, string> = {},
      onLine?: (line: number, child: ChildProcess) => void,
    ): Promise<Run> {
      const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/docker/mongodb-init.ts'], {
        env: {
          ...process.env,
          ...PASSWORDS,
          MONGODB_MEMBERS: hosts.join(','),
          MONGODB_LOOPBACK: `mongodb://${hosts[0]}/?directConnection=true`,
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const lines: string[] = [];
      let errors = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
      createInterface({ input: child.stdout }).on('line', (line) => {
        lines.push(line);
        onLine?.(lines.length, child);
      });
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, lines, errors };
    },
    /** Kills the first member and starts it again, so that another one becomes the primary. */
    async restartFirst() {
      await kill(0);
      await start(0);
    },
    stop: () => Promise.all(ports.map((_, index) => kill(index))),
    admin: () => connect('admin', PASSWORDS.MONGODB_ADMIN_PASSWORD),
    servers: (password = PASSWORDS.MONGODB_PASSWORD) => connect('leashwise', password),
    async [Symbol.asyncDispose]() {
      await Promise.all(ports.map((_, index) => kill(index)));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

type Installation = Awaited<ReturnType<typeof newInstallation>>;

/** Three members vote, and the servers' user may use its database and nothing else. */
async function expectComplete(installation: Installation): Promise<void> {
  await using admin = installation.admin();
  await using servers = installation.servers();
  await vi.waitFor(async () => {
    const { members, votingMembersCount } = await admin
      .db('admin')
      .command({ replSetGetStatus: 1 });
    expect(members.map(({ stateStr }: { stateStr: string }) => stateStr).toSorted()).toEqual([
      'PRIMARY',
      'SECONDARY',
      'SECONDARY',
    ]);
    expect(votingMembersCount).toBe(3);
  }, 60_000);
  const dogs = servers.db('leashwise').collection('dogs');
  await dogs.insertOne({ name: 'Bella' }, { writeConcern: { w: 'majority' } });
  expect(await dogs.countDocuments({ name: 'Bella' })).toBe(1);
  await expect(servers.db('other').collection('dogs').insertOne({})).rejects.toThrow(
    /not authorized/,
  );
}

/** Returns one more run, after all is complete. @param delayMs from a line to the kill @param hasCrashes whether the first member crashes at each kill, too */
async function installWithKills(delayMs: number, hasCrashes: boolean): Promise<Run> {
  await using installation = await newInstallation();
  let last: Run;
  let kills = 0;
  do {
    const step = kills + 1;
    last = await installation.init({}, (line, child) => {
      if (line === step) void wait(delayMs).then(() => child.kill('SIGKILL'));
    });
    kills++;
    if (hasCrashes && last.code === null) await installation.restartFirst();
  } while (last.code === null);
  expect(last).toMatchObject({ code: 0, errors: '' });
  // After a kill, a run may get further than to the next step.
  expect(kills).toBeGreaterThan(2);
  await expectComplete(installation);
  return await installation.init();
}

// Each installation is its own, and mostly waits for elections.
describe.concurrent('mongodb-init', { timeout: TEST_MS }, () => {
  // Before, while and after MongoDB handles the next command.
  test.each([0, 50, 100, 200, 400])(
    'mongodb-init completes a new installation after kills %i ms after each step',
    async (delayMs) => {
      const rounds = [installWithKills(delayMs, false), installWithKills(delayMs, true)];
      const done = { code: 0, errors: '' };
      expect(await Promise.all(rounds)).toMatchObject([done, done]);
    },
  );

  test('mongodb-init says that the password is wrong, that MongoDB is not ready, and which settings it lacks', async () => {
    await using installation = await newInstallation();
    expect(await installation.init()).toMatchObject({ code: 0 });

    const wrong = { MONGODB_ADMIN_PASSWORD: 'not-the-password-of-the-administrator' };
    const refused = await installation.init(wrong);
    expect(refused).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^The password is wrong: .*MONGODB_ADMIN_PASSWORD/),
    });
    await installation.stop();
    const unreachable = await installation.init({ ...wrong, MONGODB_WAIT_MS: '1' });
    expect(unreachable).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^MongoDB isn't ready\. .*ECONNREFUSED/),
    });
    const short = await installation.init({ MONGODB_PASSWORD: 'short' });
    expect(short).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^mongodb-init needs other settings\. MONGODB_PASSWORD: /),
    });
    for (const run of [refused, unreachable, short]) {
      expect(run.errors.trim().split('\n')).toHaveLength(1);
      expect(run.errors).not.toContain('not-the-password');
    }
  });

  test('mongodb-init gives a set of an earlier version its elections', async () => {
    await using installation = await newInstallation();
    expect(await installation.init()).toMatchObject({ code: 0 });
    await using admin = installation.admin();
    const read = async () =>
      (await admin.db('admin').command({ replSetGetConfig: 1 }))['config'] as {
        version: number;
        settings: Record<string, unknown>;
      };
    const { settings, ...config } = await read();
    expect(settings).toMatchObject(ELECTION);
    const former = { electionTimeoutMillis: 5_000, chainingAllowed: false };
    await admin.db('admin').command({
      replSetReconfig: { ...config, settings: former, version: config.version + 1 },
    });
    expect(await installation.init()).toMatchObject({ code: 0, errors: '' });
    expect((await read()).settings).toMatchObject({ ...ELECTION, chainingAllowed: false });
    const { version } = await read();
    expect(await installation.init()).toMatchObject({ code: 0 });
    expect((await read()).version).toBe(version);
  });

  test('mongodb-init gives the user of the servers a changed password and database', async () => {
    await using installation = await newInstallation();
    expect(await installation.init()).toMatchObject({ code: 0 });
    const changed = 'another-password-of-the-servers';
    const run = await installation.init({ MONGODB_PASSWORD: changed });
    expect(run).toMatchObject({ code: 0 });
    expect(run.lines.at(-1)).toMatch(/password was changed; restart all nodes/);
    const again = await installation.init({ MONGODB_PASSWORD: changed });
    expect(again.lines.at(-1)).toMatch(/unchanged/);
    await using now = installation.servers(changed);
    expect(await now.db('leashwise').command({ ping: 1 })).toMatchObject({ ok: 1 });
    const moved = { MONGODB_PASSWORD: changed, MONGODB_DB: 'elsewhere' };
    await expect(now.db('elsewhere').collection('users').insertOne({})).rejects.toThrow();
    expect((await installation.init(moved)).lines.at(-1)).toMatch(/may write another database/);
    expect((await installation.init(moved)).lines.at(-1)).toMatch(/unchanged/);
    await now.db('elsewhere').collection('users').insertOne({});
    await expect(now.db('leashwise').collection('users').insertOne({})).rejects.toThrow();
    await using before = installation.servers();
    await expect(before.db('leashwise').command({ ping: 1 })).rejects.toThrow(/Authentication/);
  });
});
