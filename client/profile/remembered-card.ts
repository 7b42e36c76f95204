import type { Card } from '#shared/profile/document.ts';

const keyOf = (userId: string) => `card-${userId}`;

/** The owner's card as this device last showed it, for the moment until the document itself is open; null without one. */
export function rememberedCard(userId: string): Card | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(userId)) ?? 'null') as Card | null;
  } catch {
    return null;
  }
}

/** Keeps the card for the next start; null forgets. */
export function rememberCard(userId: string, card: Card | null): void {
  try {
    if (card) localStorage.setItem(keyOf(userId), JSON.stringify(card));
    else localStorage.removeItem(keyOf(userId));
  } catch {
    // The next start shows its screens a moment later.
  }
}
