import type { Context } from 'koa';
import { HttpError } from '#shared/http/http-error.ts';
import type { InFlight } from './in-flight.ts';

const BODY_MAX_BYTES = 100 * 1024;
/** The minimum that a body counts for, because it also uses a connection. */
const BODY_MIN_BYTES = 4 * 1024;

const tooLarge = () =>
  new HttpError(413, 'The request is too large', { headers: { connection: 'close' } });

/**
 * Parses a JSON body. Own code, because a general parser costs the hot path a fifth of its throughput.
 * @returns undefined without a body
 * @throws HttpError 413, 415, or 400 when it isn’t JSON; 429 or 503 when too many bodies are in progress
 */
export async function readJson(ctx: Context, inFlight: InFlight): Promise<unknown> {
  const length = Number(ctx.req.headers['content-length'] ?? Number.NaN);
  if (length === 0 || (Number.isNaN(length) && !ctx.req.headers['transfer-encoding']))
    return undefined;
  const type = ctx.req.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type) || ctx.req.headers['content-encoding'])
    throw new HttpError(415, 'The request must be JSON');
  const text = (await readBytes(ctx, inFlight)).toString();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new HttpError(400, 'The request isn’t valid JSON');
  }
}

/**
 * Reads a raw body.
 * @throws HttpError 413; 429 or 503 when too many bodies are in progress; 400 when it is interrupted
 */
export async function readBytes(ctx: Context, inFlight: InFlight): Promise<Buffer> {
  const { req } = ctx;
  const announced = Number(req.headers['content-length'] ?? BODY_MAX_BYTES);
  if (announced > BODY_MAX_BYTES) throw tooLarge();
  // Most bodies have arrived completely: no need to count them, nor to wait.
  if (req.readableLength === announced) {
    const body = (req.read() as Buffer | null) ?? Buffer.alloc(0);
    // To its end, so that the connection can be used again.
    req.resume();
    return body;
  }
  const release = inFlight.take(ctx, Math.max(BODY_MIN_BYTES, announced));
  try {
    return await collect(ctx);
  } finally {
    release();
  }
}

async function collect(ctx: Context): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // An early rejection must not destroy the connection before the response is read.
  const incoming: AsyncIterable<Buffer> = ctx.req.iterator({ destroyOnReturn: false });
  try {
    for await (const chunk of incoming) {
      size += chunk.length;
      if (size > BODY_MAX_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw new HttpError(400, 'The request was interrupted', { cause: error });
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}
