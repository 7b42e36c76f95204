import { expect, test } from 'vitest';
import { planNotice, UNDO_MS } from '../../api/advertisers/take-downs/takedown-notices.ts';
import type { ListingRow } from '../../api/ads/collections.ts';

const now = new Date('2026-11-22T10:00:00Z');
/** A letter box from which letters can be taken back, or not. */
const box = (recalled: string[], isOpen = true) => ({
  recall: async (cause: string) => isOpen && recalled.push(cause) > 0,
});
// Of a listing nothing else is asked.
const listing = (deed: Partial<ListingRow>) =>
  ({ _id: 'listing-a', taken_down_reason: 'It barks.', ...deed }) as ListingRow;
const down = listing({ untold: 'take-down', version: 1 });

test('what is undone at once is not written of; what is known is not written again', async () => {
  const first = await planNotice(down, box([]), now);
  expect(first).toMatchObject({
    cause: 'deed 1 listing-a',
    due: new Date(now.getTime() + UNDO_MS),
  });
  const back = listing({ untold: 'put-back', version: 2, last_letter: first.last });
  const recalled: string[] = [];
  const undone = await planNotice(back, box(recalled), now);
  expect(undone.cause).toBeNull();
  expect(recalled).toEqual(['deed 1 listing-a']);

  // It had gone: then this is written, and undoing this is not.
  const told = await planNotice(back, box([], false), now);
  expect(told.cause).toBe('deed 2 listing-a');
  const again = listing({ untold: 'take-down', version: 3, last_letter: told.last });
  expect((await planNotice(again, box([]), now)).cause).toBeNull();
  const other = { ...again, taken_down_reason: 'It howls.' };
  expect((await planNotice(other, box([]), now)).cause).toBe('deed 3 listing-a');
});

test('a deed that overtakes others has their letters not written', async () => {
  const back = listing({ untold: 'put-back', version: 3 });
  const recalled: string[] = [];
  expect((await planNotice(back, box(recalled), now)).cause).toBeNull();
  expect(recalled).toEqual(['deed 1 listing-a', 'deed 2 listing-a']);
  // They had gone, and nobody remembers what they said.
  expect((await planNotice(back, box([], false), now)).cause).toBe('deed 3 listing-a');

  // Known is what was told before.
  const last_letter = { version: 1, cause: 'deed 1 listing-a', before: null, after: 'down' };
  const since: string[] = [];
  const telling = await planNotice(listing({ ...back, last_letter }), box(since), now);
  expect(telling.cause).toBeNull();
  expect(since).toEqual(['deed 1 listing-a', 'deed 2 listing-a']);
});

test('what cannot be undone is written of at once, in place of what it ends', async () => {
  const { last } = await planNotice(down, box([]), now);
  const recalled: string[] = [];
  const paid = listing({ ...down, version: 2, owed: ['payment'], last_letter: last });
  const telling = await planNotice(paid, box(recalled), now);
  expect(telling).toMatchObject({ cause: 'deed 2 listing-a', due: now });
  expect(recalled).toEqual(['deed 1 listing-a']);
});
