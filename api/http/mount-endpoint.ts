import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import { ZodError, type z } from 'zod';
import {
  RECENT_SIGN_IN_REQUIRED,
  type Access,
  type CallLimit,
  type Endpoint,
} from '#shared/endpoint.ts';
import { SUSPENDED } from '#shared/moderation/contract.ts';
import { hasAccess, isSuspended } from '#shared/server/collections.ts';
import { SESSION_COOKIE } from '#shared/session/contract.ts';
import { isRecentSignIn } from '#shared/session/rules.ts';
import { WAITED_HEADER, WAITED_MAX_MS } from '#shared/deferred-calls.ts';
import { readCookie } from './cookies.ts';
import { hashOfFile, readUpload, type ReceivedForm, type UploadedFile } from '../files/upload.ts';
import { idOfRequest } from './idempotency.ts';
import { addressOf, networkOf } from './request-origin.ts';
import type { Caller } from '../session-cache.ts';
import { invalidInput, HttpError } from './http-error.ts';
import { readJson } from './request-body.ts';
import { retryFailover } from './retry-failover.ts';
import type { Api, Services } from '../services.ts';

export interface Call<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  /** What was uploaded; only where the contract has an `upload` that may not be left out. */
  file: UploadedFile;
  /** What was uploaded, if anything. */
  attachment: UploadedFile | null;
  /** Whoever is signed in; on a public endpoint only where `visitor` is not null. */
  caller: Caller;
  /** On a public endpoint: whoever is signed in, if anybody. */
  visitor: Caller | null;
  /** An id for what this call makes: the same again when the call is repeated under its Idempotency-Key. */
  freshId(): string;
  /**
   * On a public endpoint, in place of `freshId`: the same again when whom the feature knows as `holder` repeats the call.
   * @throws HttpError 409 when the key stands for another request
   */
  idFor(holder: string): Promise<string>;
  /** When it was done, as far as a device may be believed: a call may have waited there for the network. Never in the future. */
  madeAt: Date;
  ctx: Context;
}

/** What is known of a call before its body is read. */
export type Announced<P, Q> = Pick<
  Call<P, Q, never>,
  'params' | 'query' | 'caller' | 'visitor' | 'ctx'
>;

/**
 * Refuses a call before its body is read: who has no right to what they ask for is not to take up room first.
 * @throws HttpError
 */
type Admit<P, Q> = (call: Announced<P, Q>) => Promise<void>;

/** How often a GET may be called that declares nothing else: a point read, or a page of a list. */
const USUAL_READ: CallLimit = { points: 300, seconds: 60 };

type Sent = 'params' | 'query' | 'body' | 'attachment';
type Received = Omit<ReceivedForm, 'fields'> & { fields: unknown };
type Parsed<S extends z.ZodType> = z.output<S>;

/**
 * Mounts a call as its contract has it: access first, then the request is parsed, then the answer is stripped to its
 * schema. A write that asks who is signed in runs once under an Idempotency-Key; a public one gets its id by it. A read,
 * or a write with a key, that a failover of MongoDB interrupts is run again.
 * @throws (the handler) HttpError for whatever it refuses
 */
export function serve<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A>(
  api: Api,
  endpoint: Endpoint<P, Q, B> & { answer: z.ZodType<A> },
  handler: (call: Call<Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<NoInfer<A>>,
): void {
  serveAdmitted(api, endpoint, null, handler);
}

/**
 * The same with a check before the body is read, such as for uploads.
 * @param admit refuses whoever may not
 */
export function serveAdmitted<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A>(
  api: Api,
  endpoint: Endpoint<P, Q, B> & { answer: z.ZodType<A> },
  admit: Admit<Parsed<P>, Parsed<Q>> | null,
  handler: (call: Call<Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<NoInfer<A>>,
): void {
  const { services } = api;
  const repeatable =
    endpoint.method !== 'GET' && endpoint.access !== 'public' && !endpoint.isOfTheMoment;
  const handle = async (call: Call<Parsed<P>, Parsed<Q>, Parsed<B>>) => {
    const key = repeatable ? keyOf(call.ctx) : '';
    const run = async () => endpoint.answer.parse(await handler(call));
    const once = async () => {
      const asked = await askedOf(endpoint, call);
      return services.idempotency.once(call.caller.user._id, key, asked, run);
    };
    if (key !== '') call.ctx.body = await retryFailover(once);
    else call.ctx.body = endpoint.method === 'GET' ? await retryFailover(run) : await run();
  };
  mount(api, endpoint, admit, handle);
}

/** Mounts a call whose answer is no JSON: the handler writes it to `ctx` itself. */
export function serveStream<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  api: Api,
  endpoint: Endpoint<P, Q, B>,
  handler: (call: Call<Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<void>,
): void {
  mount(api, endpoint, null, handler);
}

function mount<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  { router, services }: Api,
  endpoint: Endpoint<P, Q, B>,
  admit: Admit<Parsed<P>, Parsed<Q>> | null,
  handle: (call: Call<Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<void>,
): void {
  async function receive(ctx: Context, visitor: Caller | null): Promise<Received> {
    const { upload } = endpoint;
    if (!upload || (upload.isOptional && !ctx.is('multipart/form-data'))) {
      const hasBody = upload || endpoint.body;
      const fields = hasBody ? await readJson(ctx, services.bodiesInFlight) : undefined;
      return { file: null, fields, done: async () => {} };
    }
    await services.limitUploads(visitor?.user._id ?? networkOf(addressOf(ctx)));
    return readUpload(ctx, upload, services.uploads, visitor);
  }

  const { method, path, limit = method === 'GET' ? USUAL_READ : undefined } = endpoint;
  const limitCalls = limit && services.limiter({ name: `${method} ${path}`, ...limit });

  router.register(endpoint.path, [endpoint.method.toLowerCase()], async (ctx: Context) => {
    ctx.state['failure'] = endpoint.failure;
    const visitor = await retryFailover(() => authorise(ctx, endpoint, services));
    await limitCalls?.(visitor?.user._id ?? networkOf(addressOf(ctx)));
    const given: unknown = ctx['params'];
    const params = parse(endpoint.params, given);
    const query = parse(endpoint.query, endpoint.query ? ctx.query : {});
    await admit?.({
      params,
      query,
      get caller() {
        return signedIn(visitor);
      },
      visitor,
      ctx,
    });
    const received = await receive(ctx, visitor);
    try {
      await answer(ctx, { params, query, visitor, ...received });
    } finally {
      await received.done();
    }
  });

  async function answer(
    ctx: Context,
    {
      params,
      query,
      visitor,
      file,
      fields,
    }: Received & Pick<Announced<Parsed<P>, Parsed<Q>>, 'params' | 'query' | 'visitor'>,
  ): Promise<void> {
    const form = ctx.is('multipart/form-data') ? endpoint.form : undefined;
    const asked = {
      params,
      query,
      body: form ? parse(form, fields) : parse(endpoint.body, fields),
      attachment: file,
    };
    await handle({
      ...asked,
      get file() {
        if (!file) throw new Error(`${endpoint.path} doesn’t require a file`);
        return file;
      },
      get caller() {
        return signedIn(visitor);
      },
      visitor,
      freshId() {
        const key = keyOf(ctx);
        return key && visitor ? idOfRequest(visitor.user._id, key) : randomId();
      },
      async idFor(holder) {
        const key = keyOf(ctx);
        return key
          ? services.idempotency.idFor(holder, key, await askedOf(endpoint, asked))
          : randomId();
      },
      madeAt: madeAt(ctx),
      ctx,
    });
  }
}

function madeAt(ctx: Context): Date {
  const waitedMs = Number(ctx.get(WAITED_HEADER));
  return new Date(Date.now() - (waitedMs > 0 ? Math.min(waitedMs, WAITED_MAX_MS) : 0));
}

const keyOf = (ctx: Context): string => ctx.get('idempotency-key');

const randomId = (): string => randomBytes(16).toString('base64url');

/** All that tells one request from another. */
const askedOf = async (
  { method, path }: Endpoint,
  { params, query, body, attachment }: Pick<Call<unknown, unknown, unknown>, Sent>,
): Promise<unknown[]> => [
  method,
  path,
  params,
  query,
  body,
  attachment && (await hashOfFile(attachment)),
];

const signedOut = () => new HttpError(401, 'Please sign in');
function signedIn(visitor: Caller | null): Caller {
  if (!visitor) throw signedOut();
  return visitor;
}
/** Other words than for a session that is over: the device is to forget what it kept. */
const accountDeleted = () =>
  new HttpError(401, 'This account has been deleted', { code: 'account_deleted' });

/** Access comes before anything else, so that nobody learns what is there by trying. */
async function authorise(
  ctx: Context,
  { access, requiresRecentSignIn }: Pick<Endpoint, 'access' | 'requiresRecentSignIn'>,
  { people }: Services,
): Promise<Caller | null> {
  const token = readCookie(ctx, SESSION_COOKIE);
  const caller = token ? await people.callerOf(token) : null;
  if (access === 'public') return caller;
  if (!caller) throw token && (await people.wasDeleted(token)) ? accountDeleted() : signedOut();
  ctx.state['userId'] = caller.user._id;
  assertAccess(caller, access);
  if (requiresRecentSignIn && !isRecentSignIn(caller.session, new Date()))
    throw new HttpError(403, 'Please sign in again to continue', { code: RECENT_SIGN_IN_REQUIRED });
  return caller;
}

/** @throws HttpError 401 or 403 unless whoever calls, if anybody, may what `access` says */
export function assertAccess(
  caller: Caller | null,
  access: Exclude<Access, 'public'>,
): asserts caller is Caller {
  if (!caller) throw signedOut();
  const now = new Date();
  if (access === 'member' && !hasAccess(caller.user, now))
    throw new HttpError(403, 'You need an access code', { code: 'no_access' });
  // Whoever is only signed in may still read why, appeal, take their data along and leave.
  if (access !== 'signed-in' && isSuspended(caller.user, now))
    throw new HttpError(403, 'Your account is suspended', { code: SUSPENDED });
  if (access === 'admin' && !caller.user.is_admin)
    throw new HttpError(403, 'Only administrators can do this', { code: 'not_admin' });
}

/** @throws HttpError 400 with every field that is wrong */
function parse<S extends z.ZodType>(schema: S | undefined, value: unknown): z.output<S> {
  // What an endpoint does not declare it does not get: its type says so.
  if (!schema) return {} as z.output<S>;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (parsed.error instanceof ZodError) throw invalidInput(parsed.error);
  throw parsed.error;
}
