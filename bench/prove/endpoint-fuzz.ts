import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { createAdvertiser } from '#shared/advertisers/contract.ts';
import { newId } from '#shared/ids.ts';
import { CallError, caller } from '../../client/platform/http/api-client.ts';
import { ADMIN_EMAIL, signIn, signInMember } from '../../scripts/session/api-session.ts';
import { CookieJar } from '../../scripts/session/cookie-jar.ts';
import { inputFor, type Schema } from './arbitrary-inputs.ts';
import { Failures, type CheckSettings, type Outcome } from './check-settings.ts';

interface Operation {
  operationId: string;
  parameters?: { in: 'path' | 'query'; name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas?: Record<string, Schema> };
}

/** A call of the OpenAPI document. */
interface Target {
  method: string;
  path: string;
  operation: Operation;
  isValidAnswer: ValidateFunction | null;
  isValidFailure: ValidateFunction | null;
}

/** Returns inputs for the schema of a field. */
type InputsOf = (schema: Schema, field: string) => fc.Arbitrary<unknown>;

interface Request {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | FormData | undefined;
}

/** Longer than any call may take, on a busy machine. */
const HANG_MS = 20_000;
/** One for each role. */
const IDLE_CONNECTIONS_MAX = 5;
const KNOWN_MAX = 40;
/** A role enters again after so many requests: a call may have taken its access. */
const RENEW_AFTER = 60;
const ENTER_ATTEMPTS = 3;
/** Fields whose values are worth repeating. */
const IDENTIFYING = /(^|_)(id|ids|key|token|code|cursor|version|slug)$|Id$/;

const ROLES = ['visitor', 'newcomer', 'member', 'admin', 'advertiser'] as const;
type Role = (typeof ROLES)[number];

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const files = fc.constantFrom(
  PNG,
  Buffer.alloc(0),
  Buffer.from('no image'),
  PNG.subarray(0, 30),
  Buffer.alloc(200_000, 7),
);
const bodiesThatAreNoJson = fc.constantFrom(
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '{"a":1}}',
  '\u0000',
  '['.repeat(9_000),
);
const contentTypes = fc.constantFrom(
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
);

/**
 * Calls every operation of the OpenAPI document in every role, with valid and hostile input. Fails on a status of 500 and over, on a call
 * without an answer, and on an answer outside its schema.
 */
export async function fuzzEndpoints({
  origin,
  budgetMs,
  seed,
  interrupted,
}: CheckSettings): Promise<Outcome> {
  const openApi = (await (await fetch(`${origin}/api/openapi.json`)).json()) as OpenApi;
  const all = targetsOf(openApi);
  const failures = new Failures();
  const known = new Map<string, Set<unknown>>();
  const end = performance.now() + budgetMs;
  let requests = 0;
  const succeeded = new Set<string>();
  let successes = 0;

  /** Values for a field, such as the ids of users for `blocked_user_id`. */
  const values = (field: string): unknown[] => {
    if (!IDENTIFYING.test(field)) return [];
    const name = plainName(field);
    return [...known].flatMap(([each, all]) => (name.endsWith(each) ? [...all] : []));
  };

  async function fuzz(role: Role, mine: Target[]): Promise<void> {
    let jar = await enter(origin, role);
    let isRenewalDue = false;
    for (let count = 0; performance.now() < end && !interrupted.aborted; count++) {
      if (isRenewalDue)
        try {
          jar = await enterAgain(origin, role);
        } catch (error) {
          failures.add(`could not sign in as ${role}`, causeOf(error));
        }
      const target = mine[count % mine.length]!;
      const [request] = fc.sample(requestFor(origin, target, values, openApi), {
        numRuns: 1,
        seed: seed + requests++,
      });
      const status = await send(jar, role, target, request!);
      // A call may have ended its own session, or an administrator's call its access.
      isRenewalDue = role !== 'visitor' && (status === 401 || count % RENEW_AFTER === 0);
    }
  }

  /** @returns the status; 0 without an answer */
  async function send(
    jar: CookieJar,
    role: Role,
    target: Target,
    request: Request,
  ): Promise<number> {
    const { url, ...init } = request;
    const name = `${request.method} ${target.path} as ${role}`;
    const example = describe(request);
    try {
      const fetchOnce = () =>
        jar.fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(HANG_MS) });
      // The gateway may close an idle connection while a request is on its way, as browsers know. There may be several.
      const fetchOnFresh = async (attempts = IDLE_CONNECTIONS_MAX): Promise<Response> =>
        fetchOnce().catch((error: unknown) =>
          attempts > 0 && causeOf(error).includes('other side closed')
            ? fetchOnFresh(attempts - 1)
            : Promise.reject(error as Error),
        );
      const response = await fetchOnFresh();
      const type = response.headers.get('content-type') ?? '';
      if (response.ok) {
        successes++;
        succeeded.add(target.operation.operationId);
      }
      if (response.status >= 500) {
        failures.add(`${name} answered ${response.status}`, `${example}: ${await response.text()}`);
      } else if (!type.includes('json')) await response.body?.cancel();
      else {
        const answer: unknown = JSON.parse(await response.text());
        remember(answer);
        const isValid = response.ok ? target.isValidAnswer : target.isValidFailure;
        if (isValid && !isValid(answer)) {
          const [error] = isValid.errors ?? [];
          const kind = `${name}: answer ${response.status} outside its schema at ${error?.instancePath}: ${error?.message}`;
          failures.add(kind, `${example}: ${JSON.stringify(answer).slice(0, 300)}`);
        }
      }
      return response.status;
    } catch (error) {
      failures.add(`${name}: no answer`, `${example}: ${causeOf(error)}`);
      return 0;
    }
  }

  /** Notes the values of identifying fields; an `id` as that of the field or list around it. */
  function remember(value: unknown, field = '', around = ''): void {
    if (Array.isArray(value)) for (const each of value.slice(0, 5)) remember(each, field, around);
    else if (typeof value === 'object' && value)
      for (const [name, part] of Object.entries(value)) remember(part, name, field);
    else if (value !== null && IDENTIFYING.test(field)) {
      const name = plainName(field === 'id' ? `${singular(around)}_id` : field);
      const all = known.get(name) ?? new Set();
      known.set(name, all.add(value));
      if (all.size > KNOWN_MAX) all.delete([...all][0]);
    }
  }

  const everything = { minLength: all.length, maxLength: all.length };
  const orders = fc.sample(fc.shuffledSubarray(all, everything), { numRuns: ROLES.length, seed });
  await Promise.all(ROLES.map((role, index) => fuzz(role, orders[index]!)));
  const health = await fetch(`${origin}/api/health`);
  if (!health.ok) failures.add('not healthy at the end', String(health.status));
  return {
    tried: `${requests} requests to ${all.length} operations in ${ROLES.length} roles, ${successes} successful in ${succeeded.size} operations`,
    failures: failures.list,
  };
}

function targetsOf(openApi: OpenApi): Target[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'api', components: openApi.components });
  const absolute = (schema: Schema) =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components')) as Schema;
  return Object.entries(openApi.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const validate = (response: string) => {
        const schema = operation.responses[response]?.content?.['application/json']?.schema;
        return schema ? ajv.compile(absolute(schema)) : null;
      };
      const isValidAnswer = validate('200');
      const isValidFailure = validate('default');
      return { method: method.toUpperCase(), path, operation, isValidAnswer, isValidFailure };
    }),
  );
}

/** Like `enter`. An access code takes a session of the administrator, whose other calls may end all their sessions meanwhile. */
function enterAgain(origin: string, role: Role, attempts = ENTER_ATTEMPTS): Promise<CookieJar> {
  return enter(origin, role).catch((error: unknown) =>
    attempts > 1 && error instanceof CallError && error.status === 401
      ? enterAgain(origin, role, attempts - 1)
      : Promise.reject(error as Error),
  );
}

async function enter(origin: string, role: Role): Promise<CookieJar> {
  if (role === 'visitor') return new CookieJar();
  if (role === 'admin') return (await signIn(origin, ADMIN_EMAIL)).jar;
  if (role === 'advertiser') {
    const jar = new CookieJar();
    const call = caller({ origin, fetch: jar.fetch });
    await call(createAdvertiser, { body: company() });
    return jar;
  }
  const enterAs = role === 'member' ? signInMember : signIn;
  return (await enterAs(origin, `fuzz-${newId()}@example.com`)).jar;
}

const company = () => ({
  company_name: 'Fuzz Treats',
  contact_name: 'Fay Zimmer',
  email: `fuzz-${newId()}@example.com`,
  phone: '+1 212 555 0123',
  business_type: 'online' as const,
});

function requestFor(
  origin: string,
  { method, path, operation }: Target,
  known: (field: string) => readonly unknown[],
  { components }: OpenApi,
): fc.Arbitrary<Request> {
  const schemas = components.schemas ?? {};
  return fc
    .boolean()
    .chain((isHostile) =>
      ofInputs((schema, field) => inputFor(schema, { known, schemas, isHostile }, field)),
    );

  function ofInputs(of: InputsOf): fc.Arbitrary<Request> {
    const parameters = (place: 'path' | 'query') =>
      fc.record(
        Object.fromEntries(
          (operation.parameters ?? [])
            .filter((each) => each.in === place)
            .map(({ name, schema }) => [name, of(schema, name === 'id' ? idOf(path) : name)]),
        ),
        place === 'query' ? { requiredKeys: [] } : {},
      );
    return fc
      .record({
        inPath: parameters('path'),
        inQuery: parameters('query'),
        body: bodyFor(operation, of),
        isBroken: fc.nat(40).map((n) => n === 0),
        broken: fc.record({ body: bodiesThatAreNoJson, type: contentTypes }),
      })
      .map(({ inPath, inQuery, body, isBroken, broken }) => {
        const url = new URL(
          path.replace(
            /\{(\w+)\}/g,
            (_, name: string) => encodeURIComponent(plain(inPath[name])) || '%20',
          ),
          origin,
        );
        for (const [name, value] of Object.entries(inQuery))
          url.searchParams.append(name, plain(value));
        if (method === 'GET') return { url: url.href, method, headers: {}, body: undefined };
        if (isBroken)
          return {
            url: url.href,
            method,
            headers: { 'content-type': broken.type },
            body: broken.body,
          };
        const headers: Record<string, string> =
          typeof body === 'string' ? { 'content-type': 'application/json' } : {};
        return { url: url.href, method, headers, body };
      });
  }
}

function bodyFor(
  { requestBody }: Operation,
  of: InputsOf,
): fc.Arbitrary<string | FormData | undefined> {
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) =>
    type === 'application/json'
      ? of(schema, '').map((value) => JSON.stringify(value))
      : fc
          .record(
            Object.fromEntries(
              Object.entries(schema.properties ?? {}).map(([name, part]) => [
                name,
                part.format === 'binary' ? files : of(part, name),
              ]),
            ),
            { requiredKeys: [] },
          )
          .map(formOf),
  );
  return bodies.length > 0 ? fc.oneof(...bodies) : fc.constant(undefined);
}

function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (Buffer.isBuffer(value)) form.append(name, new Blob([new Uint8Array(value)]), `${name}.jpg`);
    else form.append(name, plain(value));
  return form;
}

/** Returns a value as text, also one that has no text of its own. Lone surrogates cannot be encoded. */
function plain(value: unknown): string {
  const written = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return written.toWellFormed().slice(0, 8_000);
}

const describe = ({ method, url, body }: Request): string => {
  const sent = typeof body === 'string' ? body : body ? JSON.stringify([...body.keys()]) : '';
  return `${method} ${url.slice(0, 300)} ${sent.slice(0, 400)}`;
};

/** The field that the `{id}` of a path stands for: `dogs_id` below `/dogs/`. */
const idOf = (path: string): string => `${singular(path.split('/{id}')[0]!.split('/').at(-1)!)}_id`;
const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '');
const plainName = (field: string): string => field.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Returns an error in words, with the error of the socket below it. */
const causeOf = (error: unknown): string =>
  error instanceof Error && error.cause
    ? `${String(error)}: ${causeOf(error.cause)}`
    : String(error);
