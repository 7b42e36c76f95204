import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { validateCode } from '#shared/access-gate/contract.ts';
import { listMessages, sendMessage } from '#shared/chat/contract.ts';
import { createDog, listDogs, updateDog } from '#shared/dogs/contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { me } from '#shared/session/contract.ts';
import { signIn, signInMember, type Visitor } from '../../scripts/session/api-session.ts';
import { befriend } from '../friends/befriend.ts';
import { buildProduct, buildStandIns, run } from './build-images.ts';
import { ComposeStack, DOMAIN, KILLED, ORIGIN } from './compose-stack.ts';

/** These tests are one story: each goes on where the one before ended. */
const HOUR_MS = 3_600_000;
const NODES = ['sync-server-1', 'sync-server-2', 'api-1', 'api-2'];
/** Without `loopback`: the containers in its network need a restart with it, which is Compose's work. */
const CRASHING = [
  ...NODES,
  'mongodb-1',
  'mongodb-2',
  'mongodb-3',
  'nats-1',
  'nats-2',
  'nats-3',
  'web',
  'prometheus',
];
const TEXT = 'See you at the park';
/** The machine may be slow. */
const SLOW = { timeout: 600_000, interval: 500 };

let stack: ComposeStack;
let ann: Visitor;
let bob: Visitor;

beforeAll(async () => {
  await buildStandIns(console.log);
  await buildProduct(console.log);
  stack = await ComposeStack.create(process.env['CONTAINERS_CERTIFICATES']!);
}, HOUR_MS);
afterAll(() => stack?.remove(), HOUR_MS);

const warned = async ({ call }: Visitor, latitude: number): Promise<string[]> => {
  const body = { latitude, longitude: -0.1246, accuracy: 5 };
  return (await call(reportLocation, { body })).nearbyUsers.map(({ display_name }) => display_name);
};

const messages = async () =>
  (await bob.call(listMessages, { params: { friendUserId: ann.user.id } })).messages.map(
    ({ message_text }) => message_text,
  );

/** Changes and reads, on clocks of their own, until it is stopped. @returns a function that stops it and returns what failed */
function keepWriting(
  { call }: Visitor,
  dogId: string,
): () => Promise<{ count: number; failures: string[] }> {
  const failures: string[] = [];
  const startedAt = performance.now();
  const running = new Set<Promise<void>>();
  let count = 0;
  const attempt = (name: string, request: () => Promise<unknown>) => {
    const done = request().then(
      () => void count++,
      (error: unknown) => {
        const seconds = Math.round((performance.now() - startedAt) / 1_000);
        failures.push(`${name} that ended after ${seconds} s: ${String(error)}`);
      },
    );
    running.add(done);
    void done.finally(() => running.delete(done));
  };
  const timers = [
    setInterval(() => attempt('read', () => call(me)), 250),
    setInterval(() => {
      const body = { name: `Rex ${count}`, sound_type: 'leash_on' } as const;
      attempt('write', () => call(updateDog, { params: { id: dogId }, body }));
    }, 3_000),
  ];
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running);
    return { count, failures };
  };
}

test(
  'the stack starts as docs/operations.md says, and somebody signs in through Caddy over TLS',
  async () => {
    await stack.up();
    [ann, bob] = [
      await signInMember(ORIGIN, 'ann@example.com'),
      await signInMember(ORIGIN, 'bob@example.com'),
    ];
    for (const [visitor, display_name] of [
      [ann, 'Ann'],
      [bob, 'Bob'],
    ] as const) {
      await visitor.call(saveProfile, {
        body: { display_name, is_location_sharing_enabled: true },
      });
      await visitor.call(createDog, { body: { name: 'Rex', sound_type: 'leash_on' } });
    }
    expect((await fetch(ORIGIN)).headers.get('content-security-policy')).toContain(DOMAIN);
    const plain = await fetch(`http://${DOMAIN}`, { redirect: 'manual' });
    expect(plain.headers.get('location')).toBe(`${ORIGIN}/`);
  },
  HOUR_MS,
);

test(
  'two walkers are warned of each other, and a message arrives',
  async () => {
    await warned(ann, 51.5007);
    await expect.poll(() => warned(bob, 51.50072), SLOW).toContain('Ann');
    await befriend(ann, bob);
    const body = { receiver_user_id: bob.user.id, message_text: TEXT };
    await expect.poll(() => ann.call(sendMessage, { body }), SLOW).toMatchObject({ message: {} });
    await expect.poll(messages, SLOW).toContain(TEXT);
  },
  HOUR_MS,
);

test(
  'Prometheus reads each node and Caddy, the rules are valid, and the admin command works',
  async () => {
    await expect.poll(() => stack.query('sum(up)'), SLOW).toEqual([5]);
    const isValid = 'max(leashwise_certificate_expires_timestamp_seconds) > bool time()';
    await expect.poll(() => stack.query(isValid), SLOW).toEqual([1]);
    await expect.poll(() => stack.query('leashwise_ready'), SLOW).toEqual([1, 1, 1, 1]);
    const rules = `${join(stack.folder, 'monitoring')}:/rules:ro`;
    const command = `run --rm --volume ${rules} --entrypoint promtool localhost/prom/prometheus:v3.13.0`;
    await run('podman', `${command} test rules /rules/alerts.test.yml`.split(' '));
    expect((await stack.runOnce('admin', 'status')).match(/: ready/g)).toHaveLength(5);
    const code = /^[A-Z0-9-]{6,20}$/m.exec(
      await stack.runOnce('admin', 'access-code', '--uses', '1'),
    )![0];
    const cleo = await signIn(ORIGIN, 'cleo@example.com');
    await cleo.call(validateCode, { body: { code } });
    expect(await stack.runOnce('admin', 'make-admin', 'cleo@example.com')).toContain('admin now');
    expect(await stack.runOnce('admin', 'migrate')).toContain('The database has all');
    // Health checks are no requests, and fill no log.
    const probes = 'leashwise_http_request_seconds_count{path=~".*health.*"}';
    expect(await stack.query(probes)).toEqual([]);
    for (const node of NODES) expect(await stack.logOf(node)).not.toContain('/health');
    const counted = 'sum(leashwise_http_request_seconds_count) > bool 0';
    await expect.poll(() => stack.query(counted), SLOW).toEqual([1]);
  },
  HOUR_MS,
);

test(
  'each container comes back after a crash, and nothing is lost',
  async () => {
    for (const service of CRASHING) {
      await stack.crash(service);
      await stack.ready();
    }
    await expect.poll(messages, SLOW).toContain(TEXT);
  },
  HOUR_MS,
);

test(
  'an alert says that a node starts again and again',
  async () => {
    for (let crashes = 0; crashes < 8; crashes++) await stack.crash('api-1');
    await expect.poll(() => stack.alerts(), SLOW).toContain('CrashLoop');
    await stack.ready();
  },
  HOUR_MS,
);

test(
  'alerts say which members are missing',
  async () => {
    // They end by themselves, in their `stop_grace_period`.
    for (const name of ['mongodb-3', 'nats-3']) expect(await stack.stop(name)).not.toBe(KILLED);
    const missing = ['MongodbMemberDown', 'NatsMemberDown', 'BackupTooOld'];
    await expect.poll(() => stack.alerts(), SLOW).toEqual(expect.arrayContaining(missing));
    for (const name of ['mongodb-3', 'nats-3'])
      await run('podman', ['start', `leashwise_${name}_1`]);
    await expect.poll(() => stack.alerts(), SLOW).not.toContain('MongodbMemberDown');
  },
  HOUR_MS,
);

test(
  'passwords change and nodes are replaced one after the other while somebody writes, without a failed request',
  async () => {
    const { dogs } = await ann.call(listDogs);
    const stop = keepWriting(ann, dogs[0]!.id);
    await wait(2_000);
    stack.set('MONGODB_USER', 'leashwise-2');
    stack.set('MONGODB_PASSWORD', 'a'.repeat(40));
    stack.set('NATS_PASSWORD', 'b'.repeat(40));
    expect(await stack.runOnce('mongodb-init')).toContain('The user of the servers: created');
    await stack.replace('nats-1', 'nats-2', 'nats-3');
    for (const node of NODES) await stack.replace(node);
    const { count, failures } = await stop();
    expect(failures).toEqual([]);
    expect(count).toBeGreaterThan(20);
    stack.set('MONGODB_DROP_USER', 'leashwise');
    expect(await stack.runOnce('mongodb-init')).toContain('its password is unchanged');
    await expect.poll(() => stack.query('min(leashwise_bus_connected)'), SLOW).toEqual([1]);
    stack.set('MONGODB_PASSWORD', 'c'.repeat(40));
    expect(await stack.runOnce('mongodb-init')).toContain('its password was changed');
    for (const node of NODES) await stack.replace(node);
    await expect.poll(messages, SLOW).toContain(TEXT);
  },
  HOUR_MS,
);

test(
  'a backup restores into a fresh stack with its key alone',
  async () => {
    await stack.runOnce('admin', 'backup', '/backups');
    const [name] = await readdir(join(stack.folder, 'backups'));
    expect(name).toMatch(/^full-.*\.backup$/);
    await expect.poll(() => stack.alerts(), SLOW).not.toContain('BackupTooOld');

    await stack.down();
    stack.renewSecrets();
    const members = ['mongodb-1', 'mongodb-2', 'mongodb-3'];
    await stack.compose('up', '--detach', '--no-build', ...members, 'loopback');
    for (const member of members) await stack.healthy(member);
    expect(await stack.runOnce('mongodb-init')).toContain('The user of the servers: created');
    const restore = () => stack.runOnce('admin', 'restore', `/backups/${name}`);
    const refusal = await restore().catch(({ stderr }: { stderr: string }) => stderr);
    stack.set('SYNC_SECRET', /SYNC_SECRET=(\w+)/.exec(refusal)![1]!);
    expect(await restore()).toContain('Restored');
    await stack.up();
    bob = await signIn(ORIGIN, 'bob@example.com');
    await expect.poll(messages, SLOW).toContain(TEXT);
  },
  HOUR_MS,
);
