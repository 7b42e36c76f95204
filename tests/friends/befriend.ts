import { createFriendRequest } from '#shared/friends/contract.ts';
import type { caller } from '../../client/platform/http/api-client.ts';

interface Person {
  call: ReturnType<typeof caller>;
  user: { id: string };
}

/** Makes two users friends. A request in return accepts the first one. */
export async function befriend(one: Person, other: Person): Promise<void> {
  await one.call(createFriendRequest, { body: { receiver_user_id: other.user.id } });
  await other.call(createFriendRequest, { body: { receiver_user_id: one.user.id } });
}
