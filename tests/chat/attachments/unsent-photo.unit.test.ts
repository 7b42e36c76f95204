import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';
import { stubBrowser } from '../device.ts';
import { LIMITS, PhotoThread } from './photo-thread.ts';

beforeEach(() => {
  freshIndexedDb();
  stubBrowser();
});

afterEach(() => vi.unstubAllGlobals());

test('a photo of a message that is being unsent stays until that can’t be taken back', async () => {
  const device = new PhotoThread();
  await device.open();
  const { thread, photos, known } = device;
  const sent = thread.send('Look', { photo: { width: 4, height: 3 } });
  await photos.add('bob', sent, new Blob(['jpeg']));
  const look = async () => {
    device.changed();
    await new Promise((resolve) => setTimeout(resolve, 20));
    return [...photos.getPictures().keys()];
  };
  thread.follow(known, { ...LIMITS, withdrawn: new Set([sent.key]) });
  expect(thread.getView().messages).toEqual([]);
  expect(await look()).toEqual([sent.key]);
  // Taken back.
  thread.follow(known, LIMITS);
  expect(thread.getView().messages).toHaveLength(1);
  expect(await look()).toEqual([sent.key]);
  thread.close();
});
