import type { Relationship } from '#shared/friends/document.ts';
import type { PairRow } from './collections.ts';

/** What one of the two does. */
export type Act =
  | { type: 'request'; id: string; message: string | null }
  | { type: 'answer'; request_id: string; accept: boolean }
  | { type: 'remove' }
  | { type: 'block'; id: string; blocked_user_name: string; reason: string | null }
  | { type: 'unblock' };

/** Why an act changes nothing, where that is not because it was done already. */
export type Refused =
  | 'blocked_by_them'
  | 'blocked_by_you'
  | 'no_request'
  | 'answered'
  | 'not_friends'
  | 'not_blocked'
  | 'friends_since'
  | 'blocked_since';

type Facts = Pick<PairRow, 'relationship' | 'since' | 'request' | 'blocks'>;

/** As long as a device waits for an answer. */
const ON_ITS_WAY_MS = 30_000;

const NOTHING = { request: null, blocks: [] } satisfies Partial<Facts>;

/** The one row of two people, whoever of them asks. */
export const pairId = (one: string, other: string): string => [one, other].toSorted().join(' ');

/** Two people who have nothing to do with each other. */
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

/** Whom of the two somebody has to do with. */
export const otherOf = ({ users }: Pick<PairRow, 'users'>, userId: string): string =>
  users[0] === userId ? users[1] : users[0];

/** The block that one of the two has put on the other; undefined without one. */
export const blockBy = ({ blocks }: Pick<PairRow, 'blocks'>, userId: string) =>
  blocks.find(({ blocker_user_id }) => blocker_user_id === userId);

/** What one of the two may see of it. Somebody who is blocked sees a stranger. */
export function viewOf(
  { relationship, since, request, blocks }: Facts,
  userId: string,
): { relationship: Relationship; at: Date; request_id: string | null; message: string | null } {
  const seen = (
    seenAs: Relationship,
    at = since,
    id: string | null = null,
    message?: string | null,
  ) => ({
    relationship: seenAs,
    at,
    request_id: id,
    message: message ?? null,
  });
  const own = blockBy({ blocks }, userId);
  if (own) return seen('blocked', own.created_at, null, own.reason);
  if (relationship === 'friends') return seen('friends');
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
 * What becomes of a pair when one of them acts. To do what is done already changes nothing and is no refusal.
 * @param madeAt when it was done, where a device brings it later: a removal undoes nothing that was made since
 * @returns the same `pair` where nothing changes
 */
export function applyAction(
  pair: PairRow,
  by: string,
  act: Act,
  at: Date,
  madeAt = at,
): { pair: PairRow; refused: Refused | null } {
  const facts = factsAfter(pair, by, act, at, madeAt);
  if (typeof facts === 'string') return { pair, refused: facts };
  if (!facts) return { pair, refused: null };
  const version = pair.version + 1;
  const changed = pair.users.filter(
    (user) => JSON.stringify(viewOf(pair, user)) !== JSON.stringify(viewOf(facts, user)),
  );
  const next: PairRow = {
    ...pair,
    ...facts,
    made: { by, at: madeAt },
    were_friends: pair.were_friends || facts.relationship === 'friends',
    version,
    views: { ...pair.views, ...Object.fromEntries(changed.map((user) => [user, version])) },
    is_projected: false,
  };
  return { pair: next, refused: null };
}

/** When two calls were made is told no better than each takes on its way: in doubt the one that comes later is. */
const isBefore = (one: Date, other: Date) => other.getTime() - one.getTime() > ON_ITS_WAY_MS;

/** @returns null where it is so already */
function factsAfter(
  pair: PairRow,
  by: string,
  act: Act,
  at: Date,
  madeAt: Date,
): Facts | Refused | null {
  const { relationship, since, request, blocks } = pair;
  const other = otherOf(pair, by);
  const answered = (status: 'accepted' | 'denied'): Facts => ({
    relationship: status === 'accepted' ? 'friends' : 'none',
    since: at,
    request: request && { ...request, status, updated_at: at },
    blocks,
  });
  switch (act.type) {
    case 'request':
      if (blockBy(pair, other)) return 'blocked_by_them';
      if (blockBy(pair, by)) return 'blocked_by_you';
      if (relationship === 'friends') return null;
      if (relationship === 'pending')
        return request?.sender_user_id === by ? null : answered('accepted');
      return {
        relationship: 'pending',
        since: at,
        request: {
          id: act.id,
          sender_user_id: by,
          receiver_user_id: other,
          status: 'pending',
          message: act.message,
          created_at: at,
          updated_at: at,
        },
        blocks,
      };
    case 'answer': {
      const wanted = act.accept ? 'accepted' : 'denied';
      if (request?.id !== act.request_id || request.receiver_user_id !== by) return 'no_request';
      if (request.status === 'pending') return answered(wanted);
      return request.status === wanted ? null : 'answered';
    }
    case 'remove':
      if (relationship !== 'friends') return 'not_friends';
      // What the other one did is known once it is here; one's own, since it was done.
      if (isBefore(madeAt, pair.made?.by === by ? pair.made.at : since)) return 'friends_since';
      return { relationship: 'none', since: at, ...NOTHING };
    case 'block': {
      if (blockBy(pair, by)) return null;
      const { type: _type, ...entry } = act;
      const block = {
        ...entry,
        blocker_user_id: by,
        blocked_user_id: other,
        created_at: at,
        made_at: madeAt,
      };
      return { relationship: 'blocked', since: at, request: null, blocks: [...blocks, block] };
    }
    case 'unblock': {
      const own = blockBy(pair, by);
      if (!own) return 'not_blocked';
      if (isBefore(madeAt, own.made_at)) return 'blocked_since';
      const left = blocks.filter(({ blocker_user_id }) => blocker_user_id !== by);
      return {
        relationship: left.length > 0 ? 'blocked' : 'none',
        since: at,
        request: null,
        blocks: left,
      };
    }
  }
}
