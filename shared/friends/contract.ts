import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { FRIEND_REQUEST_MESSAGE_MAX } from './rules.ts';

const userId = z.string().min(1).max(64);

export const friendRequest = z.object({
  id: z.string(),
  sender_user_id: z.string(),
  sender_name: z.string(),
  receiver_user_id: z.string(),
  receiver_name: z.string(),
  status: z.enum(['pending', 'accepted', 'denied']),
  message: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type FriendRequest = z.infer<typeof friendRequest>;

export const friend = z.object({
  /** The two of them, in the order of their ids. */
  user1_id: z.string(),
  user2_id: z.string(),
  friend_user_id: z.string(),
  friend_name: z.string(),
  created_at: z.iso.datetime(),
});
export type Friend = z.infer<typeof friend>;

/** Those that are still to be answered, newest first. */
export const listFriendRequests = endpoint('GET', '/friend-requests', {
  access: 'member',
  answer: z.object({ received: z.array(friendRequest), sent: z.array(friendRequest) }),
  failure: 'Failed to fetch friend requests',
});

/** If the receiver has already sent a request to the caller, it is accepted and returned. */
export const createFriendRequest = endpoint('POST', '/friend-requests', {
  access: 'member',
  body: z.object({
    receiver_user_id: userId,
    message: z.string().trim().max(FRIEND_REQUEST_MESSAGE_MAX).nullable().optional(),
  }),
  answer: z.object({ friend_request: friendRequest }),
  failure: 'Failed to send friend request',
});

const requestAction = z.enum(['accept', 'deny']);
export type RequestAction = z.infer<typeof requestAction>;

export const respondToFriendRequest = endpoint('POST', '/friend-requests/respond', {
  access: 'member',
  body: z.object({ request_id: z.string().min(1).max(64), action: requestAction }),
  answer: z.object({ friend_request: friendRequest }),
  failure: 'Failed to answer friend request',
});

/** `failure` of a response to a request, by the intended response. */
export const respondFailure = (action: RequestAction): string =>
  `Failed to ${action} friend request`;

/** Takes back the caller’s request to this user. A denied one is over already, which is no error. */
export const withdrawFriendRequest = endpoint('DELETE', '/friend-requests/:receiverUserId', {
  access: 'member',
  params: z.object({ receiverUserId: userId }),
  failure: 'Failed to withdraw friend request',
});

export const listFriends = endpoint('GET', '/friends', {
  access: 'member',
  answer: z.object({ friends: z.array(friend) }),
  failure: 'Failed to fetch friends',
});

export const deleteFriend = endpoint('DELETE', '/friends/:friendUserId', {
  access: 'member',
  params: z.object({ friendUserId: userId }),
  failure: 'Failed to remove friend',
});
