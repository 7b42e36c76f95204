import { parseAutomergeUrl, Repo, type AutomergeUrl } from '@automerge/automerge-repo';
import { nextTask } from '../../../client/platform/scheduling/next-task.ts';
import {
  OwnDocuments,
  type OwnUrls,
} from '../../../client/platform/sync/documents/own-documents.ts';
import type { Confirmations } from '../../../client/platform/sync/documents/unsynced-changes.ts';
import type { Journal } from '../../../client/platform/sync/journal/journal.ts';

/** A document that was replaced, and the one that replaced it. */
export const former = new Repo().create().url;
export const fresh = new Repo().create().url;

export const idOf = (url: AutomergeUrl) => parseAutomergeUrl(url).documentId;

/** Settles when what waits for a few tasks has run. */
export async function someTasks(): Promise<void> {
  for (let i = 0; i < 20; i++) await nextTask();
}

/** Returns the own documents of a tab that has the former one. @param other replaces what else they get */
export const ownDocuments = (
  parts: { repo: Repo; confirmations: Confirmations; journal: Journal },
  urls: OwnUrls,
  other: object = {},
): OwnDocuments =>
  new OwnDocuments(
    {
      userId: 'ann',
      ...parts,
      tabs: { share() {}, unshare() {} },
      removals: { has: () => false, remove() {}, cancel() {} },
      database: null,
      restored: { documentIds: [idOf(former)] },
      missing: new Set(),
      damaged: new Set(),
      leftOut: new Set(),
      onChange() {},
      ...other,
    } as unknown as ConstructorParameters<typeof OwnDocuments>[0],
    urls,
  );
