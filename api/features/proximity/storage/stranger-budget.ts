import type { Collection } from 'mongodb';
import { batchCalls, READ_HOLDS_UP_MS } from '#shared/server/batches.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { HOUR_MS } from '#shared/time.ts';
import { sign } from '../../../platform/hmac.ts';
import { deleteDue } from '../../../platform/retention.ts';
import type { Services } from '../../../platform/services.ts';
import { flagAccount } from '../../moderation/flag-account.ts';
import { pairs as pairRows } from '../../relationships/collections.ts';
import { pairId } from '../../relationships/relationship.ts';
import { strangerSightings, type StrangerSightingsRow } from '../collections.ts';

/** More distinct strangers than this in an hour is scraping, not a walk. */
export const STRANGERS_MAX = 60;
/** Pairs of one command. */
const PAIRS_AT_ONCE = 10_000;
const REASON = 'Saw unusually many strangers nearby within one hour';

/** The users that an account may see in one hour, as far as this node knows. */
interface Hour {
  number: number;
  /** Friends, and strangers that are counted. */
  allowed: Set<string>;
  /** Strangers beyond the budget. */
  refused: Set<string>;
  /** Users that wait for `settle`, and whether the account chose the radius within which they are. */
  undecided: Map<string, boolean>;
}

/**
 * Limits how many distinct strangers an account is shown beyond 100 ft in an hour, and flags to moderators the accounts that
 * reach the limit (decision 357). Friends do not count.
 */
export class StrangerBudget {
  readonly #services: Pick<Services, 'db' | 'log'>;
  readonly #secret: string;
  readonly #rows: Collection<StrangerSightingsRow>;
  readonly #hours = new Map<string, Hour>();
  /** Accounts with undecided users. */
  readonly #unsettled = new Set<string>();
  /** Returns which of all pairs that were asked for are friends. */
  readonly #friendsAmong: (pairs: string[]) => Promise<Set<string>>;

  constructor(services: Pick<Services, 'db' | 'log' | 'env'>) {
    this.#services = services;
    this.#secret = services.env.SYNC_SECRET;
    this.#rows = strangerSightings(services.db);
    this.#friendsAmong = batchCalls(
      async (lists: string[][]) => {
        // Both of two people who see each other ask.
        const ids = [...new Set(lists.flat())];
        const friends = new Set<string>();
        for (let from = 0; from < ids.length; from += PAIRS_AT_ONCE) {
          const filter = {
            _id: { $in: ids.slice(from, from + PAIRS_AT_ONCE) },
            relationship: 'friends' as const,
          };
          const found = pairRows(services.db).find(filter, { projection: { _id: 1 } });
          for (const { _id } of await found.toArray()) friends.add(_id);
        }
        return friends;
      },
      { holdsUpMs: READ_HOLDS_UP_MS },
    );
  }

  /**
   * Whether an account may be shown a user; if that is not known yet, `settle` finds out.
   * @param isOwnChoice whether the account chose the radius within which they are; only then it is flagged
   */
  mayShow(userId: string, otherId: string, isOwnChoice: boolean): boolean {
    const hour = this.#hourOf(userId);
    if (hour.allowed.has(otherId)) return true;
    if (hour.refused.has(otherId)) return false;
    hour.undecided.set(otherId, isOwnChoice || hour.undecided.get(otherId) === true);
    this.#unsettled.add(userId);
    return false;
  }

  /**
   * Counts the undecided users.
   * @returns whether a user may be shown now who was not before
   */
  async settle(): Promise<boolean> {
    const userIds = [...this.#unsettled];
    this.#unsettled.clear();
    const settled = await Promise.all(userIds.map((userId) => this.#settle(userId)));
    return settled.includes(true);
  }

  async #settle(userId: string): Promise<boolean> {
    const hour = this.#hourOf(userId);
    const others = new Map(hour.undecided);
    hour.undecided.clear();
    if (others.size === 0) return false;
    const friends = await this.#friendsAmong(
      [...others.keys()].map((other) => pairId(userId, other)),
    );
    const isFriend = (other: string) => friends.has(pairId(userId, other));
    const strangers = [...others.keys()].filter((other) => !isFriend(other));
    let isNew = strangers.length < others.size;
    for (const other of others.keys()) if (isFriend(other)) hour.allowed.add(other);
    const haveRoom = strangers.length > 1 && (await this.#count(userId, hour.number, strangers));
    for (const other of strangers) {
      const isAllowed = haveRoom || (await this.#count(userId, hour.number, [other]));
      (isAllowed ? hour.allowed : hour.refused).add(other);
      isNew ||= isAllowed;
      if (!isAllowed && others.get(other)) this.#flag(userId);
    }
    return isNew;
  }

  /** Removes this node's counts of past hours from memory. */
  forgetPast(): void {
    const now = hourNumber(Date.now());
    for (const [userId, { number }] of this.#hours) if (number < now) this.#hours.delete(userId);
  }

  /** Removes the rows of past hours. */
  async runJob(): Promise<void> {
    await deleteDue(this.#rows, { at: { $lt: new Date(Date.now() - 2 * HOUR_MS) } });
  }

  async remove(userId: string): Promise<void> {
    this.#hours.delete(userId);
    await this.#rows.deleteMany({ user_id: userId });
  }

  #hourOf(userId: string): Hour {
    const number = hourNumber(Date.now());
    const known = this.#hours.get(userId);
    if (known?.number === number) return known;
    const hour: Hour = { number, allowed: new Set(), refused: new Set(), undecided: new Map() };
    this.#hours.set(userId, hour);
    return hour;
  }

  /** Counts strangers in one atomic step. @returns whether the budget had room for all */
  async #count(userId: string, hour: number, others: readonly string[]): Promise<boolean> {
    if (others.length > STRANGERS_MAX) return false;
    const strangers = others.map((other) => sign(this.#secret, `stranger ${other}`));
    const room = [
      { strangers: { $all: strangers } },
      { [`strangers.${STRANGERS_MAX - strangers.length}`]: { $exists: false } },
    ];
    const add = () =>
      this.#rows.updateOne(
        { _id: `${userId} ${hour}`, $or: room },
        {
          $addToSet: { strangers: { $each: strangers } },
          $setOnInsert: { user_id: userId, at: new Date() },
        },
        { upsert: true },
      );
    // A row that exists and does not match is full, or was inserted by another node at the same moment.
    for (let attempt = 0; attempt < 2; attempt += 1)
      try {
        await add();
        return true;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
    return false;
  }

  #flag(userId: string): void {
    flagAccount(this.#services, userId, REASON, `More than ${STRANGERS_MAX} distinct people`).catch(
      (err: unknown) => this.#services.log.error({ err }, 'failed to flag an account'),
    );
  }
}

const hourNumber = (at: number): number => Math.floor(at / HOUR_MS);
