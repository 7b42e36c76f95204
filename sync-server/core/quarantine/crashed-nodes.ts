import type { Logger } from 'pino';
import type { Database } from '../database.ts';
import type { LoadMarks } from './load-marks.ts';
import { recordFailures } from './quarantine-rows.ts';

/** Records which documents nodes worked on when they crashed, before their work is finished. May be repeated only if it fails. */
export async function recordCrashes(
  { syncNodes, documents }: Pick<Database, 'syncNodes' | 'documents'>,
  nodes: readonly string[],
  marks: LoadMarks,
  logger: Logger,
): Promise<void> {
  for (const _id of nodes) {
    // In one step, because another node may do the same.
    const row = await syncNodes.findOneAndUpdate(
      { _id },
      { $set: { working_on: [] }, $unset: { loading: true } },
    );
    if (!row) continue;
    const isKnown = row.working_on !== undefined;
    const suspects = row.working_on ?? row.loading ?? [];
    if (suspects.length > 0)
      logger.error({ node: _id, documents: suspects }, 'a node crashed while it worked on these');
    await recordFailures(documents, suspects);
    if (!isKnown) marks.beCareful();
  }
}
