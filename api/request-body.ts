import type { Context } from 'koa';
import { Refusal } from './refusal.ts';

const BODY_MAX_BYTES = 100 * 1024;

const tooLarge = () =>
  new Refusal(413, 'The request is too large', { headers: { connection: 'close' } });

/**
 * Reads a JSON body. Own code, because the hot path pays a fifth of its speed for a general parser.
 * @returns undefined where there is no body
 * @throws Refusal 413, 415, or 400 when it is no JSON
 */
export async function readJson(ctx: Context): Promise<unknown> {
  const length = Number(ctx.req.headers['content-length'] ?? Number.NaN);
  if (length === 0 || (Number.isNaN(length) && !ctx.req.headers['transfer-encoding']))
    return undefined;
  const type = ctx.req.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type) || ctx.req.headers['content-encoding'])
    throw new Refusal(415, 'The request must be JSON');
  const text = (await readBytes(ctx)).toString();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal(400, 'The request is not valid JSON');
  }
}

/**
 * Reads a body as it was sent.
 * @throws Refusal 413
 */
export async function readBytes(ctx: Context): Promise<Buffer> {
  if (Number(ctx.req.headers['content-length'] ?? 0) > BODY_MAX_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  // A refusal halfway must not tear the connection down before it is read.
  const incoming: AsyncIterable<Buffer> = ctx.req.iterator({ destroyOnReturn: false });
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > BODY_MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}
