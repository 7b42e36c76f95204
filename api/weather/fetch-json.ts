import type { z } from 'zod';
import { retryAfterMs } from '#shared/retry-after.ts';
import { ProviderFailure } from './provider.ts';

/**
 * Calls a provider and parses its response. Errors don’t contain the URL, which may include a key.
 * @throws ProviderFailure
 */
export async function fetchJson<S extends z.ZodType>(
  schema: S,
  url: URL,
  init: { signal: AbortSignal; headers?: Record<string, string> },
): Promise<z.output<S>> {
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(url, { ...init, redirect: 'error' });
    answer = response.ok ? await response.json() : null;
  } catch (cause) {
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
