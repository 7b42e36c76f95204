import type { DocHandle, StorageAdapterInterface } from '@automerge/automerge-repo/slim';
import * as A from '@automerge/automerge/slim';
import type { DocumentKind } from '#shared/document-kinds.ts';
import { requireRoom } from '../bounds/require-room.ts';
import { NO_TIME } from '../state/document-state.ts';
import type { Journal, Made } from './journal.ts';

/**
 * Carries an intent out on a document that is here, once: not if the document has it. A change that was made before is added as it
 * was, so that the server's copy of it and this one are the same.
 * @param kind null for what must be possible without room, too
 * @param change the named change
 * @throws NoRoomError when our server would refuse it
 */
export function carryOut<T>(
  journal: Journal,
  id: string,
  {
    handle,
    kind,
    change,
  }: { handle: DocHandle<T>; kind: DocumentKind | null; change: (doc: T) => void },
): void {
  const { documentId } = handle;
  const before = journal.get(id)?.made;
  if (before && isMadeIn(handle, before)) return;
  if (before?.documentId === documentId && before.change) {
    const { change: bytes } = before;
    handle.update((doc) => A.loadIncremental(doc, bytes));
    if (isMadeIn(handle, before)) return;
  }
  if (kind) requireRoom(handle.doc(), kind, change);
  const headsBefore = A.getHeads(handle.doc());
  handle.change(change, NO_TIME);
  const heads = A.getHeads(handle.doc());
  const isChanged = heads.join() !== headsBefore.join();
  const bytes = isChanged ? (A.getLastLocalChange(handle.doc()) ?? null) : null;
  journal.noteMade(id, { documentId, heads, change: bytes });
}

/** Whether a document that is here has what was made. */
const isMadeIn = <T>(handle: DocHandle<T>, { documentId, heads }: Made): boolean =>
  documentId === handle.documentId && A.hasHeads(handle.doc(), heads);

/** Removes the intents that the server has. @param confirmed the heads that it last confirmed */
export function settleIntents(
  journal: Journal,
  documentId: string,
  doc: A.Doc<unknown>,
  confirmed: A.Heads | null,
): void {
  if (!confirmed || journal.countIn(documentId) === 0 || !A.hasHeads(doc, confirmed)) return;
  journal.settle(documentId, coveredBy(doc, confirmed));
}

/** Returns whether a state with these heads has all changes up to others. @param by heads that are in the document */
export function coveredBy(doc: A.Doc<unknown>, by: A.Heads): (heads: A.Heads) => boolean {
  const lacking = new Set(A.getChangesMetaSince(doc, by).map(({ hash }) => hash));
  return (heads) => A.hasHeads(doc, heads) && heads.every((head) => !lacking.has(head));
}

/** Stores a whole document, of which the Repo would only store what changes next. */
export function storeWhole(storage: StorageAdapterInterface, handle: DocHandle<unknown>): void {
  const doc = handle.doc();
  const [head = 'none'] = A.getHeads(doc);
  void storage.save([handle.documentId, 'snapshot', head], A.save(doc));
}
