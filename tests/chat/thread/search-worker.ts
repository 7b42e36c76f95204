import * as A from '@automerge/automerge';
import type { Page } from '@playwright/test';
import { initialSegment, segmentChanges } from '#shared/chat/document.ts';
import type { SegmentsAnswer } from '../../../client/features/chat/search/segment-search.ts';

const PLACE = { thread_id: 't', number: 1, friend_user_id: 'friend', after: 0 };

/** Searches a segment with this text in the app's worker, whose script comes from the cache of the device. */
export function foundInWorker(page: Page, text: string, words: string): Promise<SegmentsAnswer> {
  const message = { key: 'a', seq: 1, device: 'd', at: '2026-11-22T10:00:00Z', text };
  const segment = A.change(A.from({ ...initialSegment('me', '', PLACE) }), (draft) =>
    segmentChanges['message.add'].apply(draft, message),
  );
  return page.evaluate(
    async ([bytes, looked]) => {
      const cached = await Promise.all(
        (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
      );
      const script = cached.flat().find(({ url }) => /\/search-worker-[\w-]{8}\.js$/.test(url));
      if (!script) throw new Error('The worker is not cached on this device');
      const worker = new Worker(script.url, { type: 'module' });
      const { port1, port2 } = new MessageChannel();
      const data = new Uint8Array(bytes);
      const saved = [{ url: 'automerge:segment', isOwn: true, data, areTexts: false }];
      worker.postMessage({ pairs: [{ name: 'segment', saved }], words: looked }, [port2]);
      return new Promise<SegmentsAnswer>((resolve, reject) => {
        worker.addEventListener('error', () => reject(new Error('The worker did not start')));
        port1.addEventListener('message', ({ data }) => resolve(data));
        port1.start();
      });
    },
    [[...A.save(segment)], words] as const,
  );
}
