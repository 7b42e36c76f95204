import { next as A } from '@automerge/automerge';
import { expect, test } from 'vitest';
import { loadCore } from '../../sync-server/automerge-core.ts';
import { guardChunks } from '../../sync-server/chunk-guard.ts';
import { Content } from '../../sync-server/content.ts';
import { DOCUMENT_MAX_OPS, SERVERS_OWN_ROOM } from '../../sync-server/limits.ts';

test('what no device writes has room for what others do to it', () => {
  const numbers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [i, i]));
  const full = A.from({ numbers: numbers(DOCUMENT_MAX_OPS - 10), more: {} });
  const contentWith = (room?: number) => new Content(loadCore(A.save(full)), () => {}, room);
  const change = A.getLastLocalChange(
    A.change(full, (doc) => {
      doc.more = numbers(100);
    }),
  )!;
  const others = contentWith();
  expect(() => others.apply([change], guardChunks([change]))).toThrow('too large');
  others.free();
  const content = contentWith(SERVERS_OWN_ROOM);
  content.apply([change], guardChunks([change]));
  expect(content.value()).toHaveProperty('more.99', 99);
  content.free();
});
