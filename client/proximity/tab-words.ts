import type { ProximityState } from './state.ts';

/** What the tabs of a browser tell one another of the warning. */
export type TabWord =
  /** A new tab would know how things stand. */
  | { type: 'ask' }
  | { type: 'state'; state: ProximityState }
  | { type: 'dismiss'; userIds: string[] }
  | { type: 'retry' };
