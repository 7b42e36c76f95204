import { z } from 'zod';
import { version } from '../admin/paging.ts';
import { endpoint } from '../endpoint.ts';
import { CODES_PER_MONTH_MAX } from './rules.ts';

const invitationPolicy = z.object({ codes_per_month: z.number().int(), version });

export const getInvitationPolicy = endpoint('GET', '/admin/invitation-policy', {
  access: 'admin',
  answer: z.object({ policy: invitationPolicy }),
  failure: 'Failed to load the invitation policy',
});

export const saveInvitationPolicy = endpoint('PUT', '/admin/invitation-policy', {
  access: 'admin',
  body: z.object({
    codes_per_month: z.coerce.number().int().min(0).max(CODES_PER_MONTH_MAX),
    version: version.optional(),
  }),
  answer: z.object({ policy: invitationPolicy }),
  failure: 'Failed to save the invitation policy',
});
