import type { Logger } from 'pino';
import {
  DOCUMENT_MIGRATIONS,
  type DocumentMigration,
} from '#shared/server/migrations/document-migrations.ts';
import { measureAndCharge } from '../measure-and-charge.ts';
import { actorOf } from './automerge-core.ts';
import { currentDocument } from './current-document.ts';
import { applyChange } from './named-changes.ts';
import type { OpenDocument } from './open-document.ts';

interface Host {
  exclusively(document: OpenDocument, work: () => Promise<void>): Promise<void>;
}

/**
 * Changes a document into its current shape, if a device with an older version of the app has written it. Call it after the document
 * was loaded, and after each commit. If it fails, the document stays as it is, which readers accept.
 * @param charge called with the milliseconds that it took
 */
export async function migrateIfNeeded(
  document: OpenDocument,
  host: Host,
  charge: (ms: number) => void,
  logger: Logger,
): Promise<void> {
  const migrations = DOCUMENT_MIGRATIONS[document.kind];
  if (!migrations) return;
  try {
    const { content } = document;
    const isDue = ({ field, isNeeded }: DocumentMigration) =>
      isNeeded({ [field]: content.field(field) });
    const needed = measureAndCharge(charge, () =>
      currentDocument.during(document.id, () => migrations.filter(isDue)),
    );
    if (needed.length === 0) return;
    document.users++;
    await host
      .exclusively(document, () => migrate(document, needed, charge))
      .finally(() => document.release());
  } catch (err) {
    logger.warn({ err, document: document.id }, 'a document was not migrated');
  }
}

/**
 * Two nodes that migrate the same state make the same change, which Automerge counts once.
 * @throws when the document would become too large, or is in the older shape afterwards
 */
function migrate(
  document: OpenDocument,
  migrations: readonly DocumentMigration[],
  charge: (ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    document.enqueue(() => {
      const names = migrations.map(({ name }) => name);
      const actor = actorOf(document.id, names, document.content.heads);
      try {
        measureAndCharge(charge, () =>
          applyChange(document, actor, (draft) => {
            for (const each of migrations) applyMigration(each, draft);
          }),
        );
        document.durable().then(resolve, reject);
      } catch (error) {
        document.recover(error);
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    }, reject);
  });
}

function applyMigration({ name, isNeeded, apply }: DocumentMigration, draft: unknown): void {
  // Another node may have applied it.
  if (!isNeeded(draft)) return;
  apply(draft);
  // Otherwise it would be applied again and again.
  if (isNeeded(draft)) throw new Error(`the migration ${name} is not complete`);
}
