import { settlesWith } from './early-settled.ts';
import { sandboxProviders } from './reachability.ts';

/** Then each call has as long again for an answer of its own. */
const TIMEOUT_MS = 5_000;
/** An answer is not used later: something may have changed, also in another tab. */
const USABLE_MS = 6_000;

/** By path with query. Null where the call has to be made after all. */
const answers = new Map<string, Promise<unknown>>();

/**
 * Asks in one call for the answers to several, which `call` then uses, each once (decision 20).
 * @param start the path of `start`, whose calls these are, in order; the last ones may be left out
 */
export function askEarly(start: string | Promise<string>, paths: readonly string[]): void {
  const given = readStart(start);
  settlesWith(given);
  for (const [i, path] of paths.entries())
    answers.set(
      path,
      given.then((all) => all[i] ?? null),
    );
  setTimeout(dropEarly, USABLE_MS);
}

/** Returns the answer to a call that was asked for early, and forgets it; undefined if it wasn't. */
export function takeEarly(path: string): Promise<unknown> | undefined {
  const answer = answers.get(path);
  answers.delete(path);
  return answer;
}

/** Forgets all answers: something has changed since. */
export const dropEarly = (): void => answers.clear();

async function readStart(start: string | Promise<string>): Promise<unknown[]> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(typeof start === 'string' ? start : await start, {
      signal,
      credentials: 'same-origin',
    });
    if (!response.ok) return [];
    const answer = (await response.json()) as Record<string, unknown> | null;
    const names = answer?.['sandbox_providers'];
    if (Array.isArray(names)) sandboxProviders.set(names.map(String));
    return Array.isArray(answer?.['answers']) ? answer['answers'] : [];
  } catch {
    // The calls find out why.
    return [];
  }
}
