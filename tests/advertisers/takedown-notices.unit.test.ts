import { expect, test } from 'vitest';
import type { ListingRow } from '../../api/features/ads/collections.ts';
import { planNotice, UNDO_MS } from '../../api/features/advertisers/take-downs/takedown-notices.ts';

const now = new Date('2026-11-22T10:00:00Z');
/** Creates a mail queue that recalls emails while it is open. */
const mailQueue = (recalled: string[], isOpen = true) => ({
  recall: async (cause: string) => isOpen && recalled.push(cause) > 0,
});
// Only these fields of a listing are read.
const listing = (fields: Partial<ListingRow>) =>
  ({ _id: 'listing-a', taken_down_reason: 'It barks.', ...fields }) as ListingRow;
const down = listing({ unnotified_action: 'take-down', version: 1 });

test('sends no email about an action undone at once, or about a known state', async () => {
  const first = await planNotice(down, mailQueue([]), now);
  expect(first).toMatchObject({
    cause: 'action 1 listing-a',
    due: new Date(now.getTime() + UNDO_MS),
  });
  const back = listing({ unnotified_action: 'put-back', version: 2, last_notice: first.last });
  const recalled: string[] = [];
  const undone = await planNotice(back, mailQueue(recalled), now);
  expect(undone.cause).toBeNull();
  expect(recalled).toEqual(['action 1 listing-a']);

  // When the email was already sent, this one is sent, too, and undoing it is not emailed.
  const notice = await planNotice(back, mailQueue([], false), now);
  expect(notice.cause).toBe('action 2 listing-a');
  const again = listing({ unnotified_action: 'take-down', version: 3, last_notice: notice.last });
  expect((await planNotice(again, mailQueue([]), now)).cause).toBeNull();
  const other = { ...again, taken_down_reason: 'It howls.' };
  expect((await planNotice(other, mailQueue([]), now)).cause).toBe('action 3 listing-a');
});

test('an action recalls the emails of those before it', async () => {
  const back = listing({ unnotified_action: 'put-back', version: 3 });
  const recalled: string[] = [];
  expect((await planNotice(back, mailQueue(recalled), now)).cause).toBeNull();
  expect(recalled).toEqual(['action 1 listing-a', 'action 2 listing-a']);
  // The emails were already sent, and their content is unknown.
  expect((await planNotice(back, mailQueue([], false), now)).cause).toBe('action 3 listing-a');

  // The advertiser knows what earlier emails said.
  const last_notice = { version: 1, cause: 'action 1 listing-a', before: null, after: 'down' };
  const since: string[] = [];
  const notice = await planNotice(listing({ ...back, last_notice }), mailQueue(since), now);
  expect(notice.cause).toBeNull();
  expect(since).toEqual(['action 1 listing-a', 'action 2 listing-a']);
});

test('emails an irreversible action at once instead of the one it replaces', async () => {
  const { last } = await planNotice(down, mailQueue([]), now);
  const recalled: string[] = [];
  const paid = listing({ ...down, version: 2, pending_refunds: ['payment'], last_notice: last });
  const notice = await planNotice(paid, mailQueue(recalled), now);
  expect(notice).toMatchObject({ cause: 'action 2 listing-a', due: now });
  expect(recalled).toEqual(['action 1 listing-a']);
});
