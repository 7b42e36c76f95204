/** Returns how the author of a tip or a photo is shown. @param name null if it isn't known */
export const authorName = (name: string | null, isOwn = false): string =>
  isOwn ? 'You' : (name ?? 'A former member');
