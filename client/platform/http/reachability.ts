import { backoffMs } from '#shared/backoff.ts';
import { ValueStore } from '../store.ts';

/** A small call that needs no session. */
const PROBE = '/api/health';
const PROBE_TIMEOUT_MS = 8_000;
const AGAIN_MS = { first: 1_000, longest: 30_000 };

/**
 * Whether our server answers. Only its answers decide: the browser's `online` and `offline` are hints, which are wrong in both
 * directions (VPNs, virtual adapters, captive portals) and only cause a probe.
 */
export const reachability = new ValueStore(true);

/** The providers that this installation simulates, such as `google`, as the last probe said; null before. */
export const sandboxProviders = new ValueStore<readonly string[] | null>(null);

let probing: Promise<void> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;

/** Call it after an answer of our server, whatever it says. */
export function noteAnswer(): void {
  failures = 0;
  clearTimeout(timer);
  reachability.set(true);
}

/** Asks the server whether it can be reached; call it after a call without an answer. Several at once are one. */
export function probe(): Promise<void> {
  clearTimeout(timer);
  probing ??= isAnswered()
    .then((answered) => {
      if (answered) return noteAnswer();
      reachability.set(false);
      timer = setTimeout(() => void probe(), backoffMs(AGAIN_MS, failures++));
      return undefined;
    })
    .finally(() => {
      probing = null;
    });
  return probing;
}

/** A page of a captive portal is no answer. */
async function isAnswered(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const response = await fetch(PROBE, { cache: 'no-store', signal });
    const answer: unknown = await response.json();
    if (typeof answer !== 'object' || answer === null) return false;
    // Read without the contract's schema, which the landing page doesn't load.
    const names: unknown = (answer as { sandbox_providers?: unknown }).sandbox_providers;
    if (Array.isArray(names)) sandboxProviders.set(names.map(String));
    return true;
  } catch {
    return false;
  }
}

/** Follows the browser's hints. @returns how to stop */
export function watchReachability(): () => void {
  const check = () => void probe();
  const look = () => {
    if (document.visibilityState === 'visible' && !reachability.get()) check();
  };
  addEventListener('online', check);
  addEventListener('offline', check);
  document.addEventListener('visibilitychange', look);
  if (!navigator.onLine) check();
  return () => {
    clearTimeout(timer);
    removeEventListener('online', check);
    removeEventListener('offline', check);
    document.removeEventListener('visibilitychange', look);
  };
}
