import type { Silence } from './shown-alert.ts';

/** Whom the owner walks with. */
export interface Companions {
  silenceOf(userId: string): Silence | null;
  /** Whether the owner was asked about a user on this walk. */
  wasAsked(userId: string): boolean;
  setAsked(userId: string): void;
}

/** Of an owner who walks alone. */
export const NO_COMPANIONS: Companions = {
  silenceOf: () => null,
  wasAsked: () => false,
  setAsked: () => {},
};
