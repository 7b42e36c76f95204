import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { contracts } from '#shared/contracts.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { startTestApi, type TestApi } from '../api.ts';
import type { Payer } from '../payments/pay.ts';
import { ADMIN_IDS, missing, ROWS, type Row, type Sent } from './rows.ts';
import { makeWorld, ROLES, type Role, type World } from './world.ts';

let api: TestApi;
let world: World;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  world = await makeWorld(api);
});
afterAll(() => api.close());

/** Matches names of fields that identify or unlock a resource. */
const ADDRESSES =
  /(^|_)(id|ids|ref|key|keys|token|code|cursor|version|sequence|device)$|[a-z](Id|Key)s?$/;

/** Returns the field names of a schema at any depth. */
function fieldsOf(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found;
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'properties' && typeof value === 'object' && value !== null)
      for (const field of Object.keys(value)) found.add(field);
    fieldsOf(value, found);
  }
  return found;
}

function addressesIn({ params, query, body, form }: Endpoint): string[] {
  const schemas = [params, query, body, form].filter((schema) => schema !== undefined);
  const fields = schemas.flatMap((schema) => [
    ...fieldsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
  ]);
  return fields.filter((field) => ADDRESSES.test(field));
}

const isAdmin = ([, { access }]: [string, Endpoint]) => access === 'admin';
const addressed = [...contracts].filter((one) => !isAdmin(one) && addressesIn(one[1]).length > 0);
const ofPanel = [...contracts].filter((one) => isAdmin(one) && one[1].params !== undefined);

/** Sends a request and returns the status and the body, or 'a file' for files. */
async function send({ jar }: Payer, endpoint: Endpoint, sent: Sent) {
  const { params, query, body, file } = sent;
  let payload: BodyInit | undefined;
  if (endpoint.upload) {
    const form = new FormData();
    for (const [name, value] of Object.entries(body ?? {})) form.set(name, String(value));
    if (file) form.set(endpoint.upload.field, file);
    payload = form;
  } else if (body !== undefined) payload = JSON.stringify(body);
  const response = await jar.fetch(`${api.origin}${pathOf(endpoint, params, query)}`, {
    method: endpoint.method,
    headers: typeof payload === 'string' ? { 'content-type': 'application/json' } : {},
    body: payload,
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, said: isJson ? (JSON.parse(text) as unknown) : 'a file' };
}

/** Returns the status with which the access check refuses a role, or null. */
function guard(access: Endpoint['access'], role: Role): number | null {
  if (access === 'public') return null;
  if (role === 'visitor' || role === 'otherAdvertiser') return 401;
  if (access === 'member' && role === 'withoutAccess') return 403;
  return access === 'admin' && role !== 'admin' ? 403 : null;
}

test('every call that takes an id, key, or the like has rows, and every row has such a call', () => {
  const names = addressed.map(([name]) => name);
  expect(names.filter((name) => !ROWS[name]?.length)).toEqual([]);
  expect(Object.keys(ROWS).filter((name) => !names.includes(name))).toEqual([]);
});

test('every admin call for one resource has an existing id to try', () => {
  const without = ofPanel.filter(([, { path }]) => adminIdOf(path) === undefined);
  expect(without.map(([name]) => name)).toEqual([]);
});

const adminIdOf = (path: string) =>
  Object.entries(ADMIN_IDS).find(([beginning]) => path.startsWith(beginning))?.[1];

const rows = Object.entries(ROWS).flatMap(([name, each]) =>
  each.map((row) => [name, row] as const),
);
const of = <Kind extends Row['kind']>(kind: Kind) =>
  rows.flatMap(([name, row]) =>
    row.kind === kind
      ? [{ name, ...(row as Extract<Row, { kind: Kind }>), endpoint: contracts.get(name)! }]
      : [],
  );

describe('resources shared by design', () => {
  test.each(of('shared'))(
    '$name answers each role as designed for $what',
    async ({ endpoint, sent, statuses }) => {
      const got: Partial<Record<Role, number>> = {};
      for (const role of ROLES)
        got[role] = (await send(world.people[role], endpoint, await sent(world))).status;
      expect(got).toEqual(statuses);
    },
  );
});

describe('admin resources are for admins only', () => {
  test.each(ofPanel)('%s is refused to all roles but admin', async (_name, endpoint) => {
    const id = adminIdOf(endpoint.path)?.(world.ids) ?? '';
    for (const role of ROLES.filter((each) => each !== 'admin')) {
      const ask = (which: string | number) =>
        send(world.people[role], endpoint, { params: { id: which } });
      const real = await ask(id);
      expect({ role, status: real.status }).toEqual({ role, status: guard('admin', role) });
      expect(real).toEqual(await ask(missing(id)));
    }
    const isRead = endpoint.method === 'GET';
    const read = isRead ? await send(world.people.admin, endpoint, { params: { id } }) : null;
    expect(read?.status).toBe(isRead ? 200 : undefined);
  });
});

// Runs last because owners delete their resources here.
describe('resources of other users look nonexistent', () => {
  test.each(of('hidden'))('$name answers other users as if $what did not exist', async (row) => {
    const { endpoint } = row;
    const id = row.id(world);
    const unequal: unknown[] = [];
    for (const role of ROLES) {
      const caller = world.people[role];
      const sent = async (which: string | number) => row.sent(which as never, world, role);
      const real = await send(caller, endpoint, await sent(id));
      const expected = guard(endpoint.access, role) ?? row.except[role];
      if (expected !== undefined) {
        if (real.status !== expected) unequal.push({ role, expected, real });
        continue;
      }
      const none = await send(caller, endpoint, await sent(missing(id)));
      const status = row.statuses[role] ?? 404;
      if (real.status !== status || JSON.stringify(real) !== JSON.stringify(none))
        unequal.push({ role, status, real, none });
    }
    expect(unequal).toEqual([]);
    const own = await row.sent(id as never, world, 'owner');
    const { status, said } = await send(world.owners[row.owner], endpoint, own);
    expect({ status, said }).toMatchObject({ status: row.owned });
  });
});
