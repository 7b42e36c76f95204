import * as A from '@automerge/automerge/slim';
import { afterPaint } from './after-paint.ts';

/**
 * Runs Automerge once over an empty document. Most of what a first document costs is the first run of the code: so
 * that comes in pieces of its own, between which a press is answered.
 */
export async function warmUp(): Promise<void> {
  const empty = A.save(A.init());
  await afterPaint();
  A.free(A.loadIncremental(A.init(), empty));
  await afterPaint();
}
