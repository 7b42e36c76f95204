import type { ProximityState } from './state.ts';

/** What the tabs of a browser tell one another. */
export type TabWord =
  /** A tab in sight would lead. */
  | { type: 'claim' }
  /** The leader is in sight itself, and keeps leading. */
  | { type: 'held' }
  /** A new tab would know how things stand. */
  | { type: 'ask' }
  | { type: 'state'; state: ProximityState }
  | { type: 'dismiss'; userIds: string[] }
  | { type: 'retry' };
