import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { GEAR_MAX } from './rules.ts';

const gear = z.object({ text: z.string().max(GEAR_MAX, 'Your list is too long') });

/** Returns what the caller takes on a walk. */
export const readGear = endpoint('GET', '/gear', {
  access: 'member',
  answer: gear,
  failure: 'Failed to load your list',
});

export const saveGear = endpoint('PUT', '/gear', {
  access: 'member',
  body: gear,
  answer: gear,
  limit: { points: 60, seconds: 60 },
  failure: 'Failed to save your list',
});
