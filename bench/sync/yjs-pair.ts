import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider';
import { WebSocket } from 'ws';
import * as Y from 'yjs';
import type { Pair } from './load.ts';

/** Two devices with one Hocuspocus document, each with a socket of its own. */
export async function yjsPair(url: string, name: string): Promise<Pair> {
  const device = () =>
    new Promise<Y.Array<string>>((resolve) => {
      const document = new Y.Doc();
      const websocketProvider = new HocuspocusProviderWebsocket({
        url,
        WebSocketPolyfill: WebSocket,
      });
      const provider = new HocuspocusProvider({
        websocketProvider,
        name,
        document,
        token: 'none',
        awareness: null,
        onSynced: () => resolve(document.getArray('messages')),
      });
      provider.attach();
    });
  const [writer, watcher] = await Promise.all([device(), device()]);
  const expected: { length: number; seen: () => void }[] = [];
  watcher.observe(() => {
    while (expected[0] && watcher.length >= expected[0].length) expected.shift()!.seen();
  });
  return {
    append(text, seen) {
      expected.push({ length: writer.length + 1, seen });
      writer.push([text]);
    },
  };
}
