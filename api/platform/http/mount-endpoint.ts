import { setImmediate as turn } from 'node:timers/promises';
import type { Context } from 'koa';
import { ZodError, type z } from 'zod';
import { WAITED_HEADER, WAITED_MAX_MS } from '#shared/deferred-calls.ts';
import {
  RECENT_SIGN_IN_REQUIRED,
  type Access,
  type CallLimit,
  type Endpoint,
  hasSuccessField,
} from '#shared/endpoint.ts';
import { invalidInput, HttpError } from '#shared/http/http-error.ts';
import { SUSPENDED } from '#shared/moderation/contract.ts';
import { hasAccess, isSuspended } from '#shared/server/collections.ts';
import { SESSION_COOKIE } from '#shared/session/cookies.ts';
import { isRecentSignIn } from '#shared/session/rules.ts';
import { randomToken } from '../random-token.ts';
import type { Api, Services } from '../services.ts';
import type { Caller } from '../session-cache.ts';
import { readCookie } from './cookies.ts';
import { idOfRequest } from './idempotency.ts';
import { readJson } from './request-body.ts';
import { addressOf, networkOf } from './request-origin.ts';
import { retryFailover } from './retry-failover.ts';
import { hashOfFile, readUpload, type ReceivedForm, type UploadedFile } from './upload.ts';
import { wellFormed } from './well-formed.ts';

export interface Call<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  /** The upload; only if the contract requires one. */
  file: UploadedFile;
  /** The upload, if any. */
  attachment: UploadedFile | null;
  /** The signed-in user; on a public endpoint only if `visitor` is not null. */
  caller: Caller;
  /** On a public endpoint: the signed-in user, if any. */
  visitor: Caller | null;
  /**
   * Returns an id for the row that this call creates: the same when the call is repeated under its Idempotency-Key.
   */
  freshId(): string;
  /**
   * Replaces `freshId` on a public endpoint: the same id when the visitor whom the feature knows as `holder` repeats
   * the call.
   * @throws HttpError 409 when the key was used for another request
   */
  idFor(holder: string): Promise<string>;
  /**
   * When the user made the call, as reported by the device: it may have waited there for the network. Never in the
   * future.
   */
  madeAt: Date;
  ctx: Context;
}

/** A call before its body is read. */
export type Announced<P, Q> = Pick<
  Call<P, Q, never>,
  'params' | 'query' | 'caller' | 'visitor' | 'ctx'
>;

/**
 * Rejects a call before its body is read, so that an unauthorized one uses no memory.
 * @throws HttpError
 */
type Admit<P, Q> = (call: Announced<P, Q>) => Promise<void>;

/** The default limit of a GET. */
const USUAL_READ: CallLimit = { points: 300, seconds: 60 };

type Sent = 'params' | 'query' | 'body' | 'attachment';
type Received = Omit<ReceivedForm, 'fields'> & { fields: unknown };
type Parsed<S extends z.ZodType> = z.output<S>;

/**
 * Mounts a call by its contract: checks access, parses the request, and strips the response to its schema. A signed-in
 * write runs once per Idempotency-Key; a public one derives its id from the key. Reads, and writes with a key, are
 * repeated after a failover of MongoDB. Decision 20.
 * @throws (the handler) HttpError for what it rejects
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
 * @param admit rejects unauthorized calls
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

/** Mounts a call without a JSON response: the handler writes to `ctx` itself. */
export function serveStream<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  api: Api,
  endpoint: Endpoint<P, Q, B>,
  handler: (call: Call<Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<void>,
): void {
  mount(api, endpoint, null, handler);
}

function mount<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  { router, services, direct }: Api,
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

  const failureFields = hasSuccessField(endpoint) ? { success: false } : undefined;

  const respond = async (ctx: Context) => {
    ctx.state['failure'] = endpoint.failure;
    ctx.state['failureFields'] = failureFields;
    const visitor = await retryFailover(() => authorize(ctx, endpoint, services));
    await limitCalls?.(visitor?.user._id ?? networkOf(addressOf(ctx)));
    const given: unknown = ctx['params'];
    const params = parse(endpoint.params, given);
    const query = parse(endpoint.query, endpoint.query ? wellFormed(ctx.query) : {});
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
      // Its client may have repeated it on another node: one that was frozen must not undo later calls.
      if (endpoint.method !== 'GET' && (await hasHungUp(ctx)))
        throw new HttpError(503, endpoint.failure);
      await answer(ctx, { params, query, visitor, ...received });
    } finally {
      await received.done();
    }
  };
  router.register(path, [method.toLowerCase()], respond);
  if (!path.includes(':'))
    direct.set(`${method} /api${path}`, { respond, isAtStart: endpoint.isAtStart === true });

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
      body: form ? parse(form, wellFormed(fields)) : parse(endpoint.body, wellFormed(fields)),
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
        return key && visitor ? idOfRequest(visitor.user._id, key) : randomToken(16);
      },
      async idFor(holder) {
        const key = keyOf(ctx);
        return key
          ? services.idempotency.idFor(holder, key, await askedOf(endpoint, asked))
          : randomToken(16);
      },
      madeAt: madeAt(ctx),
      ctx,
    });
  }
}

/**
 * Returns whether the client of a call has closed the connection by now. What has arrived of it while the process was frozen is read in the
 * turn of the event loop after the one that read the request; an answer of the database may come before it in the same turn.
 */
async function hasHungUp({ req: { socket }, res }: Context): Promise<boolean> {
  await turn();
  await turn();
  return socket.readableEnded || socket.destroyed || res.destroyed;
}

function madeAt(ctx: Context): Date {
  const waitedMs = Number(ctx.get(WAITED_HEADER));
  return new Date(Date.now() - (waitedMs > 0 ? Math.min(waitedMs, WAITED_MAX_MS) : 0));
}

const keyOf = (ctx: Context): string => ctx.get('idempotency-key');

/** Everything that identifies a request. */
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
/** Not the error of an expired session: the device must delete its data. */
const accountDeleted = () =>
  new HttpError(401, 'This account has been deleted', { code: 'account_deleted' });

/** Checks access before anything else, so that no one can probe for existing rows. */
async function authorize(
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

/** @throws HttpError 401 or 403 unless the caller has this access */
export function assertAccess(
  caller: Caller | null,
  access: Exclude<Access, 'public'>,
): asserts caller is Caller {
  if (!caller) throw signedOut();
  const now = new Date();
  if (access === 'member' && !hasAccess(caller.user, now))
    throw new HttpError(403, 'You need an access code', { code: 'no_access' });
  // Suspended users can still read why, appeal, export their data, and delete their account.
  if (access !== 'signed-in' && isSuspended(caller.user, now))
    throw new HttpError(403, 'Your account is suspended', { code: SUSPENDED });
  if (access === 'admin' && !caller.user.is_admin)
    throw new HttpError(403, 'Only administrators can do this', { code: 'not_admin' });
}

/** @throws HttpError 400 with every field that is wrong */
function parse<S extends z.ZodType>(schema: S | undefined, value: unknown): z.output<S> {
  // Undeclared input is dropped, as the types say.
  if (!schema) return {} as z.output<S>;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (parsed.error instanceof ZodError) throw invalidInput(parsed.error);
  throw parsed.error;
}
