import lighthouse from 'lighthouse';
import { freePort } from '../../scripts/ports.ts';
import type { Phone } from './browser.ts';
import { bringOwner } from './owner.ts';

export interface Audit {
  /** By category, 0 to 100. */
  scores: Record<string, number>;
  /** Cumulative layout shift. */
  cls: number;
  /** What cost points, in Lighthouse's words. */
  reasons: string[];
}

/** Runs Lighthouse as for a phone on a slow network, on one screen; signed in where the screen is behind the gate. */
export async function auditScreen(phone: Phone, origin: string, path: string): Promise<Audit> {
  const port = await freePort();
  const context = await phone.open([`--remote-debugging-port=${port}`]);
  try {
    if (path !== '/') await bringOwner(context, origin);
    const result = await lighthouse(`${origin}${path}`, {
      port,
      output: 'json',
      logLevel: 'error',
      disableStorageReset: path !== '/',
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
    await context.close();
  }
}
