import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

// Apart from contract.ts, which the landing page loads.

export const sessionEntry = z.object({
  /** Opaque: neither the secret of the session nor its hash. */
  id: z.string(),
  /** The browser and system that signed in, such as 'Chrome on Android'. */
  device: z.string(),
  created_at: z.iso.datetime(),
  /** Rounded down to `LAST_USE_HOURS`. */
  last_used_at: z.iso.datetime(),
  /** Whether it is the session of this call. */
  is_current: z.boolean(),
});
export type SessionEntry = z.infer<typeof sessionEntry>;

/** Lists where the caller is signed in: the current session first, the others by last use. */
export const listSessions = endpoint('GET', '/sessions', {
  access: 'signed-in',
  answer: z.object({ sessions: z.array(sessionEntry) }),
  failure: 'Failed to load your devices',
});

/** Ends one of the caller's sessions; the one that asks may be it. */
export const endSession = endpoint('DELETE', '/sessions/:id', {
  access: 'signed-in',
  params: z.object({ id: z.string().max(100) }),
  failure: 'Failed to sign out that device',
});

/** Ends all of the caller's sessions but the one that asks. */
export const endOtherSessions = endpoint('DELETE', '/sessions', {
  access: 'signed-in',
  answer: z.object({ ended: z.number() }),
  failure: 'Failed to sign out your other devices',
});
