import { randomInt } from 'node:crypto';
import type { Db } from 'mongodb';
import type { PublishedCard } from '#shared/friends/friend-card.ts';
import { shownCard } from '#shared/profile/shown-names.ts';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import { forEachIsolated, runIsolated } from '../../platform/for-each-isolated.ts';
import type { Services } from '../../platform/services.ts';
import { actOn } from '../friends/relationship-store.ts';
import { cards } from '../profile/collections.ts';
import { namesOf } from '../profile/names.ts';
import { pairs } from '../relationships/collections.ts';

/** Between a block and the moment at which the blocked user sees the relationship end. */
const DELAY_MS = { least: 10 * MINUTE_MS, most: 60 * MINUTE_MS };
const EVERY_MS = 10_000;
/** As long as people met are listed, see `GET /encounters/recent`. */
const CARD_FOR_MS = DAY_MS;

/**
 * Returns until when a blocked user is shown the relationship as it was: a random time, so that it cannot be told from
 * an unfriending nor be connected with what happened before the block.
 * @param scale multiplies the delay; undefined is returned for 0
 */
export const earlierViewUntil = (scale: number): Date | undefined =>
  scale === 0
    ? undefined
    : new Date(Date.now() + scale * randomInt(DELAY_MS.least, DELAY_MS.most + 1));

/** Returns the blocker’s card for the block, with the time at which it is to be deleted. */
export async function cardAtBlock(
  db: Db,
  blockerId: string,
): Promise<{ card: PublishedCard; forget_card_at: Date }> {
  const [row, names] = await Promise.all([
    cards(db).findOne({ _id: blockerId }),
    namesOf(db, [blockerId]),
  ]);
  const { join_date = '', dogs = [] } = row ? shownCard(row) : {};
  return {
    card: { display_name: names.get(blockerId) ?? '', join_date, dogs },
    forget_card_at: new Date(Date.now() + CARD_FOR_MS),
  };
}

/** Registers the job that ends what blocked users are shown, when it is due. */
export function registerEarlierViewsJob(services: Services): void {
  const { db } = services;
  const endViews = () => {
    const due = pairs(db).find({ 'earlier_view.until': { $lte: new Date() } });
    return forEachIsolated(due, ({ users: [one, other] }) =>
      actOn(services, { by: one, other, act: { type: 'show_end' } }),
    );
  };
  const forgetCards = () => {
    const isOver = { $lte: new Date() };
    return pairs(db).updateMany(
      { 'blocks.forget_card_at': isOver },
      { $unset: { 'blocks.$[over].card': '', 'blocks.$[over].forget_card_at': '' } },
      { arrayFilters: [{ 'over.forget_card_at': isOver }] },
    );
  };
  services.registerJob('earlier views', () => runIsolated([endViews, forgetCards]), {
    everyMs: EVERY_MS,
  });
}
