import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

export const adminCheck = endpoint({
  method: 'GET',
  path: '/admin/check',
  access: 'signed-in',
  answer: z.object({ isAdmin: z.boolean(), email: z.string() }),
  failure: 'Failed to check admin access',
});
