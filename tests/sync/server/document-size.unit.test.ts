import { next as A } from '@automerge/automerge';
import { expect, test } from 'vitest';
import type { DocumentKind } from '#shared/document-kinds.ts';
import { documentLimits } from '#shared/sync/limits.ts';
import { loadCore } from '../../../sync-server/core/documents/automerge-core.ts';
import { DocumentContent } from '../../../sync-server/core/documents/document-content.ts';
import { validateChunks } from '../../../sync-server/core/protocol/sync-message.ts';

test('a document that only the server writes may become larger than others', () => {
  const numbers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [i, i]));
  const full = A.from({
    people: numbers(documentLimits.account.operations - 10),
    threads: numbers(0),
  });
  const saved = A.save(full);
  const contentOf = (kind: DocumentKind) =>
    new DocumentContent(loadCore(saved), documentLimits[kind], () => {});
  const change = A.getLastLocalChange(
    A.change(full, (doc) => {
      doc.threads = numbers(100);
    }),
  )!;
  const others = contentOf('account');
  expect(() => others.apply([change], validateChunks([change]))).toThrow('too many operations');
  others.free();
  const content = contentOf('contacts');
  content.apply([change], validateChunks([change]));
  expect(content.value()).toHaveProperty('threads.99', 99);
  content.free();
});
