import { createHmac } from 'node:crypto';
import { DAY_MS } from '#shared/time.ts';
import type { ActiveUser } from './active-user.ts';

const LENGTH = 22;

type Seen = Pick<ActiveUser, 'tracker'> & { person: Pick<ActiveUser['person'], 'user_id'> };

/**
 * Creates the function that names a user to a viewer who may not know who it is. All nodes give the same id, so that the warning is one
 * warning. It changes with each walk of either of them and each day, because their trackers choose new ids then.
 * @param secret known to the servers only
 * @param now returns milliseconds of the wall clock
 */
export const createAnonymousIds =
  (secret: string, now: () => number) =>
  (viewer: Seen, other: Seen): string => {
    const day = Math.floor(now() / DAY_MS);
    const walks = [viewer, other].map(({ person, tracker }) => `${person.user_id} ${tracker}`);
    const digest = createHmac('sha256', secret).update(`anonymous ${day} ${walks.join(' ')}`);
    return `anonymous-${digest.digest('base64url').slice(0, LENGTH)}`;
  };
