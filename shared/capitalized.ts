/** Returns a text with a capital first letter, as at the beginning of a sentence. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a text with a small first letter, as within a sentence. */
export const uncapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
