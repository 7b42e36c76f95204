import type { DocHandle, DocHandleChangePayload } from '@automerge/automerge-repo/slim';
import * as A from '@automerge/automerge/slim';
import { whenHere } from '../state/document-state.ts';
import { channelOf, type TabMessage } from './tab-coordination.ts';

/**
 * Passes changes between the tabs of one user, so that they agree without a network too. Tabs may share the
 * chunks on disk: a tab removes only chunks that it has read or written, after storing their changes elsewhere.
 */
export class CrossTabSync {
  readonly #channel: BroadcastChannel;
  readonly #handles = new Map<string, DocHandle<unknown>>();

  constructor(userId: string, onForget: () => void) {
    this.#channel = channelOf(userId);
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if (data === 'forget') return onForget();
      const handle = this.#handles.get(data.documentId);
      if (handle?.isReady()) handle.update((doc) => A.loadIncremental(doc, data.changes));
    };
  }

  /** Exchanges changes of a document with other tabs, once it is here. */
  share(handle: DocHandle<unknown>): void {
    if (this.#handles.has(handle.documentId)) return;
    this.#handles.set(handle.documentId, handle);
    // Changes read from this device's disk are not new to other tabs.
    void whenHere(handle).then(
      () => this.#handles.get(handle.documentId) === handle && handle.on('change', this.#pass),
    );
  }

  unshare(handle: DocHandle<unknown>): void {
    this.#handles.delete(handle.documentId);
    handle.off('change', this.#pass);
  }

  close(): void {
    for (const handle of this.#handles.values()) this.unshare(handle);
    this.#channel.close();
  }

  readonly #pass = ({ handle, patchInfo }: DocHandleChangePayload<unknown>) => {
    const changes = A.saveSince(patchInfo.after, A.getHeads(patchInfo.before));
    this.#channel.postMessage({
      documentId: handle.documentId,
      changes: new Uint8Array(changes),
    } satisfies TabMessage);
  };
}
