import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { validateCode } from '#shared/access-gate/contract.ts';
import { auditLog } from '#shared/admin/contract.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { MIGRATIONS } from '#shared/server/migrations/migrations.ts';
import { me } from '#shared/session/contract.ts';
import { startTestApi, type TestApi } from '../api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

/** Runs `npm run admin` for the installation of this test. */
const admin = (...args: string[]) =>
  new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const all = ['--import', 'tsx', 'scripts/cli/admin.ts', ...args];
    const cwd = join(import.meta.dirname, '../..');
    const env = { ...process.env, ...api.env };
    const child = execFile(process.execPath, all, { cwd, env }, (_, out, err) =>
      resolve({ code: child.exitCode, out: out.trim(), err: err.trim() }),
    );
  });

test('the admin command lists its commands, and refuses others', async () => {
  expect(await admin('--help')).toMatchObject({ code: 0, err: '' });
  for (const unknown of ['nonsense', 'constructor']) {
    const refused = await admin(unknown);
    expect(refused.code).toBe(1);
    for (const name of ['status', 'access-code', 'make-admin', 'backup', 'restore', 'migrate'])
      expect(refused.out).toContain(`\n${name} `);
  }
});

test('an access code of the command opens the gate as often as it says', async () => {
  const { code, out } = await admin('access-code', '--uses', '1', '--description', 'for Alex');
  expect(code).toBe(0);
  const [first, second] = await Promise.all(
    ['first', 'second'].map((name) => api.as(`${name}@example.com`, { access: false })),
  );
  await first!.call(validateCode, { body: { code: out } });
  await expect(second!.call(validateCode, { body: { code: out } })).rejects.toMatchObject({
    status: 400,
  });
  expect(await admin('access-code', '--uses', 'many')).toEqual({
    code: 1,
    out: '',
    err: '--uses must be a whole number from 1 to 1000000',
  });
});

test('somebody is an admin as soon as the command says so, also after a sign-in and a restart, until it takes it away', async () => {
  const email = 'olive@example.com';
  const refused = await admin('make-admin', email);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain(`Nobody has signed in with ${email} yet`);

  const olive = await api.as(email);
  const isAdmin = async () => (await olive.call(me)).is_admin;
  expect(await isAdmin()).toBe(false);
  expect(await admin('make-admin', email)).toEqual({
    code: 0,
    out: `${email} is an admin now.`,
    err: '',
  });
  await expect.poll(isAdmin).toBe(true);
  const { entries } = await olive.call(auditLog, { query: {} });
  expect(entries).toContainEqual(
    expect.objectContaining({ act: 'user.make-admin', subject_id: olive.user.id }),
  );
  expect((await api.as(email)).user.is_admin).toBe(true);
  await api.restartApi();
  expect(await isAdmin()).toBe(true);

  expect(await admin('make-admin', email, '--remove')).toMatchObject({ code: 0 });
  await expect.poll(isAdmin).toBe(false);
  await api.restartApi();
  expect((await api.as(email)).user.is_admin).toBe(false);
});

test('of several accounts with an address, the command asks for the issuer, whatever the case of the letters', async () => {
  const email = 'nora@example.com';
  const nora = await api.as(email);
  const users = api.db.collection<UserRow>('users');
  const own = (await users.findOne({ _id: nora.user.id }))!;
  const [issuer] = own.identity.split(' ');
  const theirs = 'https://sign-in.example';
  await users.insertOne({ ...own, _id: 'another-nora', identity: `${theirs} nora` });
  const refused = await admin('make-admin', 'Nora@Example.com');
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain(`--issuer: ${issuer}, ${theirs}`);
  const isAdmin = async (_id: string) => (await users.findOne({ _id }))?.is_admin;
  expect(await isAdmin(own._id)).toBe(false);
  const done = await admin('make-admin', 'Nora@Example.com', '--issuer', issuer!);
  expect(done).toEqual({ code: 0, out: `${email} is an admin now.`, err: '' });
  expect([await isAdmin(own._id), await isAdmin('another-nora')]).toEqual([true, false]);
});

test('the command migrates a database, and repeats nothing', async () => {
  const rows = api.db.collection<{ _id: string }>('migrations');
  const { name } = MIGRATIONS[0]!;
  await rows.deleteOne({ _id: name });
  const done = `The database has all ${MIGRATIONS.length} migrations of this version.`;
  const first = await admin('migrate');
  expect(first).toMatchObject({ code: 0, err: '' });
  expect(first.out).toContain(`"migration":"${name}"`);
  expect(await rows.countDocuments()).toBe(MIGRATIONS.length);
  expect((await admin('migrate')).out).toBe(done);
});
