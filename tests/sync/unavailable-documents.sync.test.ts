import { expect, inject, test, vi } from 'vitest';
import { startTestSync } from '../sync.ts';
import { madeUpId, RawDevice } from './raw-device.ts';
import { watchMongodb } from './watched-mongodb.ts';

test('another user’s document and a nonexistent one get the same response for the same database work', async () => {
  const mongodb = await watchMongodb(inject('mongodbUri'));
  const sync = await startTestSync(mongodb.uri);
  try {
    const victim = await sync.user();
    const theirs = await sync.document(victim);
    const owner = await new RawDevice(sync.socket(victim)).join();
    await owner.read(theirs);
    const stranger = await sync.user();
    const spy = await new RawDevice(sync.socket(stranger)).join();
    // The permissions of a user are looked up on connecting.
    const isListed = () => JSON.stringify(mongodb.passages).includes(stranger.id);
    await vi.waitFor(() => expect(isListed()).toBe(true));

    /** Asks for a document. @returns all that was done and said about it, with its id written as `ID` */
    const refusal = async (id: string) => {
      const before = mongodb.passages.length;
      spy.answers.length = 0;
      spy.request(id);
      const answer = await spy.next(() => true);
      expect(answer.type).toBe('doc-unavailable');
      const done = mongodb.passages.slice(before);
      return JSON.parse(JSON.stringify({ answer, done }).replaceAll(id, 'ID')) as unknown;
    };

    const refusalOfInventedId = await refusal(madeUpId());
    expect(refusalOfInventedId).toMatchObject({
      answer: { type: 'doc-unavailable', documentId: 'ID', targetId: spy.peerId },
      done: [{ command: { aggregate: 'documents' }, answer: { cursor: { firstBatch: [] } } }],
    });
    for (let i = 0; i < 10; i++) {
      expect(await refusal(theirs)).toEqual(refusalOfInventedId);
      expect(await refusal(madeUpId())).toEqual(refusalOfInventedId);
    }
    for (const one of [owner, spy]) one.close();
  } finally {
    await sync.close();
    mongodb.close();
  }
});
