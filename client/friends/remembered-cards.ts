const keyOf = (userId: string) => `friend-cards-${userId}`;

/** The URLs of the friends' cards that this device keeps; none where the browser remembers nothing. */
export function rememberedCards(userId: string): string[] {
  try {
    const urls: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]');
    return Array.isArray(urls) ? urls.filter((url) => typeof url === 'string') : [];
  } catch {
    return [];
  }
}

/** None of them forgets. */
export function rememberCards(userId: string, urls: readonly string[]): void {
  try {
    if (urls.length > 0) localStorage.setItem(keyOf(userId), JSON.stringify(urls));
    else localStorage.removeItem(keyOf(userId));
  } catch {
    console.warn('This browser keeps nothing: cards of former friends go when it is closed.');
  }
}
