import type { SyncServerRow } from './core/database.ts';
import { PROJECT_FAILED_MS } from './core/limits.ts';
import { recordCrashes } from './core/quarantine/crashed-nodes.ts';
import type { Services } from './services.ts';

/**
 * Finishes what nodes that crashed had accepted, and from then on repeats what failed and tries documents in quarantine.
 * @returns a function that ends it when no calls and devices come any more, with everything stored that was accepted
 */
export async function runServices(
  services: Services,
  { are_nodes_registered }: Pick<SyncServerRow, 'are_nodes_registered'>,
): Promise<() => Promise<void>> {
  const { accounts, compaction, database, logger, nodes, quarantine } = services;
  const crashed = await nodes.start();
  await compaction.start();
  await recordCrashes(database, crashed, services.marks, logger);
  if (!are_nodes_registered) {
    await compaction.redoProjections();
    await database.server.updateOne({ _id: 'storage' }, { $set: { are_nodes_registered: true } });
  } else if (crashed.length > 0) await compaction.redoProjections(crashed);
  await database.syncNodes.deleteMany({ _id: { $in: crashed } });
  await accounts.refresh();

  let isProjecting: Promise<void> | null = null;
  const projecting = setInterval(() => {
    isProjecting ??= compaction
      .projectFailed()
      .then(() => compaction.projectRefused())
      .catch((error: unknown) => logger.warn({ err: error }, 'failed to project documents'))
      .finally(() => (isProjecting = null));
  }, PROJECT_FAILED_MS);
  quarantine.start();

  return async () => {
    const { documents, friendCards, log, projections } = services;
    clearInterval(projecting);
    await quarantine.stop();
    const isPublished = friendCards.stop();
    await compaction.stop();
    // A call that was cut off may still store a change, which its caller does not repeat once it finds it stored.
    const isClosed = await documents.close();
    await log.settled();
    await projections.settled();
    projections.stop();
    await nodes.stop(isPublished && isClosed);
    await services.signals.close();
  };
}
