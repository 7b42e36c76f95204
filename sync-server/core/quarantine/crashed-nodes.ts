import type { Logger } from 'pino';
import { DAY_MS } from '#shared/time.ts';
import type { Database } from '../database.ts';
import type { LoadMarks } from '../documents/load-marks.ts';
import { recordFailures } from './quarantine-rows.ts';

/**
 * Records which documents nodes worked on when they crashed, before their work is finished. A crash may have any other reason, such as a
 * power failure, so that only a document that was alone is held responsible; several are loaded alone from now on. May be repeated only if
 * it fails.
 */
export async function recordCrashes(
  { syncNodes, documents }: Pick<Database, 'syncNodes' | 'documents'>,
  nodes: readonly string[],
  marks: LoadMarks,
  logger: Logger,
): Promise<void> {
  let isKnown = true;
  for (const _id of nodes) {
    // In one step, because another node may do the same.
    const row = await syncNodes.findOneAndUpdate(
      { _id },
      { $set: { working_on: [] }, $unset: { loading: true } },
    );
    if (!row) continue;
    if (row.working_on === undefined) isKnown = false;
    const suspects = row.working_on ?? row.loading ?? [];
    if (suspects.length > 0)
      logger.error({ node: _id, documents: suspects }, 'a node crashed while it worked on these');
    if (suspects.length === 1) await recordFailures(documents, suspects);
    else
      await documents.updateMany({ _id: { $in: suspects } }, [{ $set: { suspected_at: '$$NOW' } }]);
  }
  if (isKnown) return;
  const since = { $gt: new Date(Date.now() - DAY_MS) };
  marks.beCareful(await documents.distinct('_id', { suspected_at: since }));
}
