import { next as A } from '@automerge/automerge';
import { expect, test } from 'vitest';
import { loadCore } from '../../../sync-server/documents/automerge-core.ts';
import { validateChunks } from '../../../sync-server/protocol/sync-message.ts';
import { DocumentContent } from '../../../sync-server/documents/document-content.ts';
import { DOCUMENT_MAX_OPS, SERVER_WRITTEN_FACTOR } from '../../../sync-server/limits.ts';

test('a document that only the server writes may become larger than others', () => {
  const numbers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [i, i]));
  const full = A.from({ numbers: numbers(DOCUMENT_MAX_OPS - 10), more: {} });
  const contentWith = (factor?: number) =>
    new DocumentContent(loadCore(A.save(full)), () => {}, factor);
  const change = A.getLastLocalChange(
    A.change(full, (doc) => {
      doc.more = numbers(100);
    }),
  )!;
  const others = contentWith();
  expect(() => others.apply([change], validateChunks([change]))).toThrow('too large');
  others.free();
  const content = contentWith(SERVER_WRITTEN_FACTOR);
  content.apply([change], validateChunks([change]));
  expect(content.value()).toHaveProperty('more.99', 99);
  content.free();
});
