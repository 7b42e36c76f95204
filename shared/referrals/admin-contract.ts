import { z } from 'zod';
import { version } from '../admin/paging.ts';
import { endpoint } from '../endpoint.ts';

/** How many invitations of a member carry an access code in a calendar month (UTC), unless an admin says otherwise. */
export const CODES_PER_MONTH = 5;
export const CODES_PER_MONTH_MAX = 100;
/** How long an invitation's access code can be used. */
export const INVITATION_DAYS = 30;

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
