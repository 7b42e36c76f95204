import { getHeads } from '@automerge/automerge';
import type { AutomergeUrl, DocHandle } from '@automerge/automerge-repo';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SegmentDocument } from '#shared/chat/document.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import { CallError } from '../../../client/platform/http/api-client.ts';
import { call } from '../../../client/platform/http/api.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';
import { FakeLocks } from '../../sync/outbox/fake-locks.ts';
import { stubBrowser } from '../device.ts';
import { PhotoThread } from './photo-thread.ts';

vi.mock('../../../client/platform/http/api.ts', () => ({ call: vi.fn<typeof call>() }));

beforeEach(() => {
  freshIndexedDb();
  stubBrowser();
  vi.stubGlobal('navigator', { locks: new FakeLocks() });
});

afterEach(() => {
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

type Sent = { params: { id: string }; idempotencyKey: string };
const PHOTO = { image_key: null, width: 4, height: 3 };
const add = (segment: SegmentDocument, key: string, edited?: { from: string; first: string }) =>
  documentKinds.segment.changes['message.add'].apply(segment, {
    key,
    device: 'phone',
    seq: edited ? 2 : 1,
    at: new Date(0).toISOString(),
    text: key,
    photo: PHOTO,
    ...(edited && { edited }),
  });

test('a photo is sent again to the version that its message has by then', async () => {
  const device = new PhotoThread();
  await device.open();
  const segment: DocHandle<SegmentDocument> = await device.repo.find(device.mine as AutomergeUrl);
  const { documentId } = segment;
  /** Adds a version of the message, which the server has. */
  const write = (key: string, edited?: { from: string; first: string }) => {
    segment.change((doc) => add(doc, key, edited));
    device.heads.set(documentId, getHeads(segment.doc()));
    device.thread.getView();
  };
  device.changed('connected');
  vi.mocked(call).mockRejectedValueOnce(new CallError('The answer was lost', 0, 'unreachable'));
  vi.mocked(call).mockResolvedValue({});
  write('first');
  await device.photos.add('bob', { number: 1, key: 'first' }, new Blob(['jpeg']));
  const sent = () => vi.mocked(call).mock.calls.map(([, given]) => given as Sent);
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  // Another device edits it, and this one starts again.
  write('second', { from: 'first', first: 'first' });
  device.thread.close();
  await device.open();
  device.thread.getView();
  device.changed('offline');
  device.changed('connected');
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent().map(({ params }) => params)).toEqual([
    { id: `${documentId}.first` },
    { id: `${documentId}.second` },
  ]);
  // A server takes a key for one request only.
  expect(new Set(sent().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
  device.thread.close();
});
