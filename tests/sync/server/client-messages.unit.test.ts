import { expect, test } from 'vitest';
import {
  encodeCbor,
  encodeDocumentMessage,
  encodeMapStart,
  readMessage,
} from '../../../sync-server/wire/client-messages.ts';

const start = () => encodeMapStart({ type: 'sync', senderId: 'one' }, ['documentId', 'data']);
const documentId = '4NMNnkMhL8jXrdJ9jamS58PAVdXu';
const data = new Uint8Array([1, 2, 3]);

test('a message of a start and its last entries equals one that is encoded at once', () => {
  const whole = encodeCbor({ type: 'sync', senderId: 'one', documentId, data });
  expect(encodeDocumentMessage(start(), documentId, data)).toEqual(whole);
  expect(readMessage(whole)).toMatchObject({ type: 'sync', senderId: 'one', documentId });
});

test('a start that a connection keeps does not keep the pool of small buffers', () => {
  const kept = start();
  expect(kept.buffer.byteLength).toBe(kept.byteLength);
});
