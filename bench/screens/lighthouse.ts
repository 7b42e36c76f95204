import lighthouse from 'lighthouse';
import { median } from '../quantiles.ts';
import type { Phone } from './browser.ts';

/** One audit says as much of the machine's minute as of the screen: Lighthouse advises the median of five. */
const ROUNDS = 5;
/** Computed from a run without throttling, so what the machine did meanwhile counts several times over. */
const SIMULATED_ROUNDS = 12;

export interface Audit {
  /** By category, 0 to 100. */
  scores: Record<string, number>;
  /** Cumulative layout shift. */
  cls: number;
  /** The audits that cost points, in Lighthouse's words. */
  reasons: string[];
}

/**
 * Runs Lighthouse on one screen with the CPU and the network of a phone on a slow network, each time in a browser that was just started and that nobody else drives.
 * @param options.keepsStorage whether the browser stays signed in
 * @param options.isSimulated whether Lighthouse computes how long it would take there, as its own page and web.dev do, instead of
 *   slowing the browser down
 * @returns of all rounds the median scores, the worst layout shift and every reason
 * @throws Lighthouse's error
 */
export async function auditScreen(
  phone: Phone,
  path: string,
  { keepsStorage, isSimulated = false }: { keepsStorage: boolean; isSimulated?: boolean },
): Promise<Audit> {
  const rounds: Audit[] = [];
  const method = isSimulated ? 'simulate' : 'devtools';
  for (let left = isSimulated ? SIMULATED_ROUNDS : ROUNDS; left > 0; left--)
    rounds.push(await auditOnce(phone, path, keepsStorage, method));
  const titles = Object.keys(rounds[0]!.scores);
  return {
    scores: Object.fromEntries(
      titles.map((title) => [title, median(rounds.map(({ scores }) => scores[title]!))]),
    ),
    cls: Math.max(...rounds.map(({ cls }) => cls)),
    reasons: [...new Set(rounds.flatMap(({ reasons }) => reasons))],
  };
}

async function auditOnce(
  phone: Phone,
  path: string,
  keepsStorage: boolean,
  throttlingMethod: 'simulate' | 'devtools',
): Promise<Audit> {
  const browser = await phone.openBare();
  try {
    const result = await lighthouse(phone.origin + path, {
      port: browser.port,
      output: 'json',
      logLevel: 'error',
      disableStorageReset: keepsStorage,
      throttlingMethod,
    });
    if (!result || result.lhr.runtimeError)
      throw new Error(`Lighthouse: ${result?.lhr.runtimeError?.message ?? 'no result'}`);
    const { categories, audits } = result.lhr;
    return {
      scores: Object.fromEntries(
        Object.values(categories).map(({ title, score }) => [
          title,
          Math.round((score ?? 0) * 100),
        ]),
      ),
      cls: audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
      reasons: Object.values(categories).flatMap(({ title, auditRefs }) =>
        auditRefs
          .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
          .map(({ id }) => `${title}: ${audits[id]?.title} ${audits[id]?.displayValue ?? ''}`),
      ),
    };
  } finally {
    await browser.close();
  }
}
