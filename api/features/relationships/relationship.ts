import type { Relationship } from '#shared/friends/document.ts';
import type { PublishedCard } from '#shared/friends/friend-card.ts';
import { DAY_MS } from '#shared/time.ts';
import type { BlockEntry, EarlierView, FirstMessage, PairRow } from './collections.ts';

/** An action of one user. */
export type Act =
  | { type: 'request'; id: string; message: string | null }
  | { type: 'answer'; request_id: string; accept: boolean }
  /** Scans the code that the other one shows for it: both want it, so that they are friends at once. */
  | { type: 'befriend'; id: string }
  /** Takes back one’s own request. */
  | { type: 'withdraw' }
  | { type: 'remove' }
  | ({
      type: 'block';
      /** Until when the blocked user is shown the relationship as it was; by default, not at all. */
      shownUntil?: Date;
    } & Pick<BlockEntry, 'id' | 'blocked_user_name' | 'reason' | 'card' | 'forget_card_at'>)
  | { type: 'unblock' }
  /** Not an action of a user: the time is over during which a blocked user is shown the earlier relationship. */
  | { type: 'show_end' };

/** Why an action was rejected; a repeated action is not rejected. */
export type Refused =
  | 'blocked_by_them'
  | 'blocked_by_you'
  | 'no_request'
  | 'answered'
  | 'resting'
  | 'already_friends'
  | 'requested_since'
  | 'not_friends'
  | 'not_blocked'
  | 'friends_since'
  | 'blocked_since';

type Facts = Pick<
  PairRow,
  'relationship' | 'since' | 'request' | 'first_messages' | 'blocks' | 'denied_at' | 'earlier_view'
>;

/** For so long after a denial, its sender can’t send another request. */
const DENIED_REST_MS = 30 * DAY_MS;
/** How long a device waits for a response. */
const ON_ITS_WAY_MS = 30_000;

const NOTHING = { request: null, blocks: [] } satisfies Partial<Facts>;

/** Returns the id of the pair’s row, the same for both users. */
export const pairId = (one: string, other: string): string => [one, other].toSorted().join(' ');

/** Returns the row of two users without a relationship. */
export function noRelationship(one: string, other: string): PairRow {
  const [first, second] = [one, other].toSorted() as [string, string];
  return {
    _id: pairId(one, other),
    users: [first, second],
    relationship: 'none',
    since: new Date(0),
    ...NOTHING,
    were_friends: false,
    version: 0,
    views: {},
    is_projected: true,
  };
}

/** Returns the other user’s id. */
export const otherOf = ({ users }: Pick<PairRow, 'users'>, userId: string): string =>
  users[0] === userId ? users[1] : users[0];

/** Returns the user’s block of the other; undefined if there is none. */
export const blockBy = ({ blocks }: Pick<PairRow, 'blocks'>, userId: string) =>
  blocks.find(({ blocker_user_id }) => blocker_user_id === userId);

/** Returns what a blocked user is still shown; undefined if they see the end, and for the blocker. */
export const earlierViewOf = (
  { earlier_view }: Pick<PairRow, 'earlier_view'>,
  userId: string,
): EarlierView | undefined => (earlier_view?.user_id === userId ? earlier_view : undefined);

/** Returns the other user’s block, as far as a user may notice it: not before they see the end of the relationship. */
export const noticedBlockOf = (
  pair: Pick<PairRow, 'users' | 'blocks' | 'earlier_view'>,
  userId: string,
): BlockEntry | undefined =>
  earlierViewOf(pair, userId) ? undefined : blockBy(pair, otherOf(pair, userId));

/** Returns the blocker’s card from the time of the block, as long as the blocked user is shown it. */
export const storedCardOf = (
  pair: Pick<PairRow, 'users' | 'blocks' | 'earlier_view'>,
  userId: string,
): PublishedCard | undefined =>
  earlierViewOf(pair, userId) && blockBy(pair, otherOf(pair, userId))?.card;

/** Returns the relationship as one user may see it. A blocked user sees a stranger, but not at once (decision 50). */
export function viewOf(
  facts: Facts,
  userId: string,
): { relationship: Relationship; at: Date; request_id: string | null; message: string | null } {
  const seen = (
    seenAs: Relationship,
    at: Date,
    id: string | null = null,
    message?: string | null,
  ) => ({
    relationship: seenAs,
    at,
    request_id: id,
    message: message ?? null,
  });
  const own = blockBy(facts, userId);
  const { relationship, since, request } = earlierViewOf(facts, userId) ?? facts;
  if (own) return seen('blocked', own.created_at, null, own.reason);
  if (relationship === 'friends') return seen('friends', since);
  if (relationship === 'pending' && request)
    return seen(
      request.sender_user_id === userId ? 'sent' : 'received',
      request.created_at,
      request.id,
      request.message,
    );
  return seen('none', new Date(0));
}

/**
 * Returns the pair after an action. A repeated action changes nothing and isn’t rejected.
 * @param madeAt when the action was made, if a device sends it later: a removal doesn’t undo anything newer
 * @returns the same `pair` if nothing changes
 */
export function applyAction(
  pair: PairRow,
  { by, act, at, madeAt = at }: { by: string; act: Act; at: Date; madeAt?: Date },
): { pair: PairRow; refused: Refused | null } {
  const facts = factsAfter(pair, { by, act, at, madeAt });
  if (typeof facts === 'string') return { pair, refused: facts };
  if (!facts) return { pair, refused: null };
  const version = pair.version + 1;
  const changed = pair.users.filter(
    (user) => JSON.stringify(viewOf(pair, user)) !== JSON.stringify(viewOf(facts, user)),
  );
  const { earlier_view: _earlier, first_messages: _said, ...rest } = pair;
  const view = facts.earlier_view;
  const versions = changed.map((user) => [user, user === view?.user_id ? view.version : version]);
  const next: PairRow = {
    ...rest,
    ...facts,
    ...(act.type !== 'show_end' && { made: { by, at: madeAt } }),
    were_friends: pair.were_friends || facts.relationship === 'friends',
    version,
    views: { ...pair.views, ...Object.fromEntries(versions) },
    is_projected: false,
  };
  return { pair: next, refused: null };
}

/** Times of calls are only this accurate: in doubt the later call counts as newer. */
const isBefore = (one: Date, other: Date) => other.getTime() - one.getTime() > ON_ITS_WAY_MS;

/** Whether a request by this user would change nothing in what they are shown. */
const isShown = ({ relationship, request }: EarlierView, by: string): boolean =>
  relationship === 'friends' || request?.sender_user_id === by;

/** Whether a user’s last request was denied too recently for another one. */
function isResting({ denied_at }: Facts, by: string, at: Date): boolean {
  const denied = denied_at?.[by];
  return denied !== undefined && at.getTime() - denied.getTime() < DENIED_REST_MS;
}

const firstMessageOf = (request: PairRow['request']): FirstMessage[] =>
  request?.message
    ? [
        {
          id: request.id,
          author: request.sender_user_id,
          text: request.message,
          at: request.created_at,
        },
      ]
    : [];

/** @returns null if nothing changes */
function factsAfter(
  pair: PairRow,
  { by, act, at, madeAt }: { by: string; act: Act; at: Date; madeAt: Date },
): Facts | Refused | null {
  const { relationship, since, request, blocks } = pair;
  const earlier = earlierViewOf(pair, by);
  const withoutView: Facts = { relationship, since, request, blocks };
  const shown = earlier ?? pair;
  // The other user’s change counts from its arrival, one’s own from when it was made.
  const isOutdated = isBefore(madeAt, shown.made?.by === by ? shown.made.at : shown.since);
  const other = otherOf(pair, by);
  const answered = (status: 'accepted' | 'denied'): Facts => ({
    relationship: status === 'accepted' ? 'friends' : 'none',
    since: at,
    request: request && { ...request, status, updated_at: at },
    blocks,
    denied_at: status === 'accepted' ? {} : { ...pair.denied_at, [other]: at },
  });
  /** They become friends. @param requests those with a message begin their thread */
  const befriended = (requests: readonly PairRow['request'][]): Facts => {
    const first_messages = requests.flatMap(firstMessageOf);
    return { ...answered('accepted'), ...(first_messages.length > 0 && { first_messages }) };
  };
  /** What the blocked user is shown from now on, until the same time as before. */
  const shownNext = (view: Pick<EarlierView, 'relationship' | 'request'>): Facts => ({
    ...withoutView,
    ...(earlier && {
      earlier_view: {
        ...earlier,
        ...(earlier.relationship === 'friends' && { was_friend: true }),
        ...view,
        since: at,
        made: { by, at: madeAt },
        version: earlier.version + 1,
      },
    }),
  });
  const nothingShown = () => shownNext({ relationship: 'none', request: null });
  const asked = ({ id, message }: Extract<Act, { type: 'request' }>): PairRow['request'] => ({
    id,
    sender_user_id: by,
    receiver_user_id: other,
    status: 'pending',
    message,
    created_at: at,
    updated_at: at,
  });
  switch (act.type) {
    case 'request':
      if (blockBy(pair, by)) return 'blocked_by_you';
      // What was already there for them is no news; anything else would pass the block.
      if (earlier && isShown(earlier, by)) return null;
      // Before the blocks, so that the answer doesn't reveal one.
      if (viewOf(pair, by).relationship === 'none' && isResting(pair, by, at)) return 'resting';
      // They are shown a request that no one else sees.
      if (earlier) return shownNext({ relationship: 'pending', request: asked(act) });
      if (blockBy(pair, other)) return 'blocked_by_them';
      if (relationship === 'friends') return null;
      if (relationship === 'pending')
        return request?.sender_user_id === by ? null : befriended([request, asked(act)]);
      return { relationship: 'pending', since: at, request: asked(act), blocks };
    case 'answer': {
      const wanted = act.accept ? 'accepted' : 'denied';
      // It looks as if the blocker had withdrawn it just before.
      if (earlier?.relationship === 'pending' && earlier.request?.id === act.request_id)
        return earlier.request.receiver_user_id === by ? nothingShown() : 'no_request';
      if (request?.id !== act.request_id || request.receiver_user_id !== by) return 'no_request';
      if (request.status === 'pending')
        return act.accept ? befriended([request]) : answered('denied');
      return request.status === wanted ? null : 'answered';
    }
    case 'befriend': {
      if (blockBy(pair, by)) return 'blocked_by_you';
      if (earlier) return earlier.relationship === 'friends' ? null : 'blocked_by_them';
      if (blockBy(pair, other)) return 'blocked_by_them';
      if (relationship === 'friends') return null;
      if (relationship === 'pending') return befriended([request]);
      const offer = {
        ...asked({ type: 'request', id: act.id, message: null }),
        status: 'accepted',
      };
      return {
        ...answered('accepted'),
        // Who shows the code asks, and who scans it accepts.
        request: { ...offer, sender_user_id: other, receiver_user_id: by } as PairRow['request'],
      };
    }
    case 'withdraw': {
      if (shown.relationship === 'friends') return 'already_friends';
      // A denied request is over, as wanted.
      if (shown.relationship !== 'pending' || shown.request?.sender_user_id !== by)
        return pair.denied_at?.[by] ? null : 'no_request';
      if (isOutdated) return 'requested_since';
      return earlier ? nothingShown() : { relationship: 'none', since: at, request: null, blocks };
    }
    case 'remove': {
      if (shown.relationship !== 'friends') return 'not_friends';
      if (isOutdated) return 'friends_since';
      return earlier ? nothingShown() : { relationship: 'none', since: at, ...NOTHING };
    }
    case 'block': {
      if (blockBy(pair, by)) return null;
      const { type: _type, shownUntil, ...entry } = act;
      const block: BlockEntry = {
        ...entry,
        blocker_user_id: by,
        blocked_user_id: other,
        created_at: at,
        made_at: madeAt,
      };
      const next: Facts = {
        ...(earlier && nothingShown()),
        relationship: 'blocked',
        since: at,
        request: null,
        blocks: [...blocks, block],
      };
      if (!shownUntil || (relationship !== 'friends' && relationship !== 'pending')) return next;
      const { made, version } = pair;
      const view = { relationship, since, request, version, ...(made && { made }) };
      return { ...next, earlier_view: { user_id: other, until: shownUntil, ...view } };
    }
    case 'unblock': {
      const own = blockBy(pair, by);
      if (!own) return 'not_blocked';
      if (isBefore(madeAt, own.made_at)) return 'blocked_since';
      const left = blocks.filter(({ blocker_user_id }) => blocker_user_id !== by);
      // Unblocking restores the ability to send requests.
      const { [other]: _rested, ...denied_at } = pair.denied_at ?? {};
      return {
        ...(earlier && nothingShown()),
        relationship: left.length > 0 ? 'blocked' : 'none',
        since: at,
        request: null,
        blocks: left,
        denied_at,
      };
    }
    case 'show_end': {
      const view = pair.earlier_view;
      if (!view || view.until > at) return null;
      // A request looks denied, and is followed by the same rest.
      const looksDenied =
        view.relationship === 'pending' && view.request?.sender_user_id === view.user_id;
      return looksDenied
        ? { ...withoutView, denied_at: { ...pair.denied_at, [view.user_id]: at } }
        : withoutView;
    }
  }
}
