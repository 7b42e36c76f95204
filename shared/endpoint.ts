import type { z } from 'zod';

/**
 * Who may call: anybody; whoever is signed in; whoever is signed in and past the gate; admins.
 * Each level includes the ones before it.
 */
export type Access = 'public' | 'signed-in' | 'member' | 'admin';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A file that is sent as a multipart form, with the fields of `body` beside it where there are some. */
export interface Upload {
  /** The form's field that carries it. */
  field: string;
  maxBytes: number;
  /** What a person reads when it is larger. */
  tooLarge: string;
  /** May be left out; then the body may also come as JSON. */
  isOptional?: boolean;
}

/** How often an account may call something; on a public endpoint, a network without an account. */
export interface CallLimit {
  points: number;
  seconds: number;
}

/** For what reads a great deal to answer. */
export const HEAVY_READ: CallLimit = { points: 60, seconds: 60 };
/** For what reads all there is of something. */
export const EXPORT: CallLimit = { points: 30, seconds: 3_600 };

export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  method: Method;
  /** Below /api, with :names for parameters. */
  path: `/${string}`;
  access: Access;
  /** Refused with `RECENT_SIGN_IN_REQUIRED` unless the person signed in within `RECENT_SIGN_IN_MINUTES`. */
  requiresRecentSignIn?: true;
  params?: Params;
  query?: Query;
  body?: Body;
  /** In place of `body` where it comes as a form beside an upload, and more is asked of it then. */
  form?: z.ZodType<z.output<Body>>;
  /** Beside an upload the body's fields come as texts, so its schema reads those too. */
  upload?: Upload;
  answer: Answer;
  /** It says where somebody is now: nothing of it is kept for a repeat, whose answer is a new one. */
  isOfTheMoment?: true;
  /** What the answer is when it is not JSON: a file's bytes, or server-sent events. */
  stream?: 'file' | 'events';
  /** Where a GET costs more, or less, than most; each has a limit. */
  limit?: CallLimit;
  /** What a person reads when it fails and the server gave no better words. */
  failure: string;
}

/** Declares one call of the api, for both ends: `serve` in the api, `call` in the client and the tests. */
export function endpoint<
  Params extends z.ZodType = z.ZodType<Record<never, never>>,
  Query extends z.ZodType = z.ZodType<Record<never, never>>,
  Body extends z.ZodType = z.ZodType<undefined>,
  Answer extends z.ZodType = z.ZodType,
>(spec: Endpoint<Params, Query, Body, Answer>): Endpoint<Params, Query, Body, Answer> {
  return spec;
}

/** The error format of every response. `fields` maps a field's dotted path to what is wrong with it. */
export interface Failure {
  error: string;
  code: string;
  fields?: Record<string, string>;
}

/** The first that is wrong with each field, by its dotted path. */
export function fieldsOf(error: z.ZodError | undefined): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of error?.issues ?? []) fields[path.join('.')] ??= message;
  return fields;
}

/** The code of a 403 that a new sign-in turns into an answer. */
export const RECENT_SIGN_IN_REQUIRED = 'recent_sign_in_required';

/** The code of a 409 that is no last word: a first call with the same Idempotency-Key is still at work. */
export const STILL_RUNNING = 'still_running';
