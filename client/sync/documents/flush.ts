import type { Repo } from '@automerge/automerge-repo/slim';

/** A session that ended does not wait longer for what was typed to reach the disk. */
const WITHIN_MS = 3_000;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Settles when what was typed is on this device's disk, or cannot get there for now.
 * @param isPending whether changes wait for their document to open
 */
export async function flushTyped(repo: () => Repo | null, isPending: () => boolean): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  while (isPending() && Date.now() < deadline) await wait(20);
  // The Repo cannot flush a document that is still being loaded, and there is nothing new in it.
  const ready = Object.values(repo()?.handles ?? {}).filter((handle) => handle.isReady());
  const flushed = repo()?.flush(ready.map(({ documentId }) => documentId));
  await Promise.race([flushed, wait(WITHIN_MS)]);
}
