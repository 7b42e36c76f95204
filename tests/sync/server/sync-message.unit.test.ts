import * as A from '@automerge/automerge';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSyncMessage } from '#shared/sync/sync-message.ts';
import { writeSyncMessage } from '../../../sync-server/core/protocol/sync-message.ts';

const doc = A.change(A.from({ n: 0 }), (draft) => void (draft.n = 1));
const change = A.getLastLocalChange(doc)!;

test.each(['v1', 'v2'] as const)('reads messages that Automerge writes, in version %s', (type) => {
  const message = {
    heads: A.getHeads(doc),
    need: ['ab'.repeat(32)],
    have: [{ lastSync: A.getHeads(doc), bloom: new Uint8Array(0) }],
    changes: [change],
    type,
  } as A.DecodedSyncMessage;
  expect(readSyncMessage(A.encodeSyncMessage(message))).toEqual({
    heads: message.heads,
    need: message.need,
    chunks: [change],
  });
});

test('Automerge reads messages that the server writes', () => {
  const written = writeSyncMessage(A.getHeads(doc), [change], true);
  expect(A.decodeSyncMessage(written)).toMatchObject({
    heads: A.getHeads(doc),
    need: [],
    have: [{ lastSync: A.getHeads(doc) }],
    changes: [change],
    supportedCapabilities: expect.arrayContaining(['read-only']),
  });
  expect(A.decodeSyncMessage(writeSyncMessage([], [], false)).heads).toEqual([]);
});

test('rejects a filter that would be costly for Automerge', () => {
  const bloom = Uint8Array.from([1, 10, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0]);
  const bytes = Buffer.concat([
    Buffer.from([0x42, 0, 0, 1, 0, bloom.length]),
    bloom,
    Buffer.from([0]),
  ]);
  expect(() => readSyncMessage(bytes)).toThrow('Bloom filter too expensive');
});

test('reads or rejects any bytes at once', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom(0x42, 0x43),
      (bytes, version) => {
        let chunks: Uint8Array[] = [];
        let thrown: unknown = null;
        try {
          chunks = readSyncMessage(Buffer.concat([Buffer.from([version]), bytes])).chunks;
        } catch (error) {
          thrown = error;
        }
        expect(thrown === null || thrown instanceof Error).toBe(true);
        const read = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
        expect(read).toBeLessThanOrEqual(bytes.length);
      },
    ),
    { numRuns: 2000 },
  );
});
