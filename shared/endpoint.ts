import { z } from 'zod';

/**
 * Who may call: everyone; signed-in users; signed-in users with access through the gate; admins. Each level includes
 * the ones before it.
 */
export type Access = 'public' | 'signed-in' | 'member' | 'admin';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Below /api, with :names for parameters. */
type Path = `/${string}`;

/** A file that is sent as a multipart form, together with the fields of `body` if there are any. */
export interface Upload {
  /** The form's field that carries it. */
  field: string;
  maxBytes: number;
  /** The error message for a larger file. */
  tooLarge: string;
  /** May be left out; then the body may also come as JSON. */
  isOptional?: boolean;
}

/** How often an account may call it; for a public endpoint, a network without an account. */
export interface CallLimit {
  points: number;
  seconds: number;
}

/** For calls that read many rows. */
export const HEAVY_READ: CallLimit = { points: 60, seconds: 60 };
/** For calls that read a whole collection. */
export const EXPORT: CallLimit = { points: 30, seconds: 3_600 };

interface EndpointSpec<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
> {
  access: Access;
  /** Refused with `RECENT_SIGN_IN_REQUIRED` unless the person signed in within `RECENT_SIGN_IN_MINUTES`. */
  requiresRecentSignIn?: true;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Replaces `body` for a form with an upload, where more fields are required. */
  form?: z.ZodType<z.output<Body>>;
  /** With an upload the body's fields come as texts, so its schema reads those too. */
  upload?: Upload;
  /** An empty object if left out. */
  answer?: Answer;
  /** The answer contains current positions: it is not stored, and a repeat gets a new one. */
  isOfTheMoment?: true;
  /** The format of an answer that is not JSON: a file's bytes, or server-sent events. */
  stream?: 'file' | 'events';
  /** A GET without parameters in its path that `start` answers, too. */
  isAtStart?: true;
  /** For a GET that costs more or less than most; each has a limit. */
  limit?: CallLimit;
  /** The error message when the server gives no better one. */
  failure: string;
}

export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> extends EndpointSpec<Params, Query, Body, Answer> {
  method: Method;
  path: Path;
  answer: Answer;
}

const EMPTY: z.ZodType = z.object({});

/**
 * Declares one call of the api, for both ends: `serve` in the api, `call` in the client and the tests. The annotation
 * lets the bundler drop unused declarations.
 */
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<
  Params extends z.ZodType = z.ZodType<Record<never, never>>,
  Query extends z.ZodType = z.ZodType<Record<never, never>>,
  Body extends z.ZodType = z.ZodType<undefined>,
  Answer extends z.ZodType = z.ZodType<Record<never, never>>,
>(
  method: Method,
  path: Path,
  spec: EndpointSpec<Params, Query, Body, Answer>,
): Endpoint<Params, Query, Body, Answer> {
  return { ...spec, method, path, answer: spec.answer ?? (EMPTY as Answer) };
}

/** Whether its answers have the field `success`, which its failures then have, too. */
export const hasSuccessField = ({ answer }: Endpoint): boolean =>
  answer instanceof z.ZodObject && 'success' in answer.shape;

/** The error format of every response. `fields` maps a field's dotted path to its error message. */
export interface Failure {
  error: string;
  code: string;
  fields?: Record<string, string>;
}

/** Returns the first error message of each field, by its dotted path. */
export function fieldsOf(error: z.ZodError | undefined): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of error?.issues ?? []) fields[path.join('.')] ??= message;
  return fields;
}

/** The code of a 403 that a new sign-in turns into an answer. */
export const RECENT_SIGN_IN_REQUIRED = 'recent_sign_in_required';

/** The code of a 409 that is worth retrying: the first call with the same Idempotency-Key is still running. */
export const STILL_RUNNING = 'still_running';

/** The code of a 503 about what one call needs, which isn’t here yet: others needn’t wait. */
export const NOT_YET = 'not_yet';
