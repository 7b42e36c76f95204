import * as A from '@automerge/automerge/slim';
import type { DocHandle, DocHandleChangePayload } from '@automerge/automerge-repo/slim';
import { channelOf, type TabMessage } from './tab-channel.ts';

/**
 * Passes changes between the tabs of one user, so that they agree without a network too. Tabs may share the
 * chunks on disk: a tab removes only chunks that it has read or written, after keeping what they held.
 */
export class Tabs {
  private readonly channel: BroadcastChannel;

  constructor(userId: string, handles: readonly DocHandle<unknown>[], onForget: () => void) {
    this.channel = channelOf(userId);
    for (const handle of handles) handle.on('change', this.pass);
    this.channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if (data === 'forget') return onForget();
      const handle = handles.find(({ documentId }) => documentId === data.documentId);
      if (handle?.isReady()) handle.update((doc) => A.loadIncremental(doc, data.changes));
    };
  }

  close(): void {
    this.channel.close();
  }

  private readonly pass = ({ handle, patchInfo }: DocHandleChangePayload<unknown>) => {
    const changes = A.saveSince(patchInfo.after, A.getHeads(patchInfo.before));
    this.channel.postMessage({
      documentId: handle.documentId,
      changes: new Uint8Array(changes),
    } satisfies TabMessage);
  };
}
