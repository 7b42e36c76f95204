import type { z } from 'zod';
import { retryAfterMs } from '#shared/retry-after.ts';
import { ProviderFailure } from './provider-failure.ts';
import { isRedirect, REDIRECTS_MAX } from './redirects.ts';

/** Much more than an answer for one place has. */
const BYTES_MAX = 8 * 1024 * 1024;

interface Init {
  signal: AbortSignal;
  headers?: Record<string, string>;
}

/**
 * Calls a provider and parses its response. Follows redirects of the provider to itself. Errors don’t contain the URL, which may
 * include a key.
 * @throws ProviderFailure
 */
export async function fetchJson<S extends z.ZodType>(
  schema: S,
  url: URL,
  init: Init,
): Promise<z.output<S>> {
  let response: Response;
  let answer: unknown;
  try {
    response = await follow(url, init);
    answer = response.ok ? JSON.parse(await textOf(response)) : null;
  } catch (cause) {
    if (cause instanceof ProviderFailure) throw cause;
    const words = init.signal.aborted ? 'timed out' : 'sent an unreadable response';
    throw new ProviderFailure(`${url.host} ${words}`, { cause });
  }
  if (!response.ok) {
    await response.body?.cancel().catch(() => {});
    throw new ProviderFailure(`${url.host} answered ${response.status}`, {
      status: response.status,
      retryAfterMs: retryAfterMs(response.headers),
    });
  }
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  throw new ProviderFailure(`${url.host} sent an unexpected response`, { cause: read.error });
}

/** Whether an address is the same provider’s: the request has its key, and no other server is any of our business. */
const isSameProvider = (from: URL, to: URL): boolean =>
  to.origin === from.origin ||
  (from.protocol === 'http:' && to.protocol === 'https:' && to.host === from.hostname);

async function follow(first: URL, init: Init): Promise<Response> {
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const location = isRedirect(response.status) ? response.headers.get('location') : null;
    if (location === null) return response;
    await response.body?.cancel().catch(() => {});
    const next = URL.canParse(location, url.href) ? new URL(location, url) : null;
    if (!next || redirects === REDIRECTS_MAX || !isSameProvider(url, next))
      throw new ProviderFailure(`${first.host} redirected to a place that isn’t followed`);
    url = next;
  }
}

/** @throws Error if it is too long */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the response.
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > BYTES_MAX) throw new Error('the response is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
