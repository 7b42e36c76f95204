import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { BLOCK_REASON_MAX } from './rules.ts';

export const block = z.object({
  id: z.string(),
  blocker_user_id: z.string(),
  blocked_user_id: z.string(),
  blocked_user_name: z.string(),
  reason: z.string().nullable(),
  created_at: z.iso.datetime(),
});

export const listBlocks = endpoint('GET', '/user-blocks', {
  access: 'member',
  answer: z.object({ blocks: z.array(block) }),
  failure: 'Failed to fetch blocked users',
});

export const createBlock = endpoint('POST', '/user-blocks', {
  access: 'member',
  body: z.object({
    blocked_user_id: z.string().min(1).max(64),
    reason: z.string().trim().max(BLOCK_REASON_MAX).nullable().optional(),
  }),
  answer: z.object({ block }),
  failure: 'Failed to block user',
});

export const deleteBlock = endpoint('DELETE', '/user-blocks/:blockedUserId', {
  access: 'member',
  params: z.object({ blockedUserId: z.string().min(1).max(64) }),
  failure: 'Failed to unblock user',
});
