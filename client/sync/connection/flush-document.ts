import * as A from '@automerge/automerge/slim';
import { decodeHeads, type DocHandle, type Repo } from '@automerge/automerge-repo/slim';

/** More of one document within this time is left to the Repo, which sends it together. */
const PAUSE_MS = 100;
const sentAt = new WeakMap<DocHandle<unknown>, number>();

/**
 * Has the Repo send what was just changed before this returns. By itself it does so from a timer, which a browser puts off
 * until it has drawn what follows from a press; it sends nothing twice. What is not being synchronised is left to the Repo.
 */
export function sendNow(repo: Repo, handle: DocHandle<unknown>): void {
  const now = performance.now();
  if (now - (sentAt.get(handle) ?? -PAUSE_MS) < PAUSE_MS) return;
  sentAt.set(handle, now);
  const { documentId } = handle;
  const synchronizer = repo.synchronizer.docSynchronizers[documentId];
  for (const senderId of repo.peers) {
    const storageId = repo.getStorageIdOfPeer(senderId);
    const told = storageId && handle.getSyncInfo(storageId)?.lastHeads;
    if (!told || !synchronizer?.hasPeer(senderId)) continue;
    // The Repo answers each message at once: so it is told once more what the peer said last.
    const heads = decodeHeads(told);
    const have = [{ lastSync: heads, bloom: new Uint8Array() }];
    const data = A.encodeSyncMessage({ heads, need: [], have, changes: [] });
    const targetId = repo.networkSubsystem.peerId;
    synchronizer.receiveMessage({ type: 'sync', senderId, targetId, documentId, data });
  }
}
