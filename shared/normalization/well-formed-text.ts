/** What MongoDB refuses in keys and search patterns. */
const NUL = '\0';

/**
 * Returns a text without NUL characters and with halves of surrogate pairs replaced: neither means anything to a person, and documents,
 * databases and other services reject or change them, so that devices would show different texts.
 */
export const wellFormedText = (value: string): string =>
  (value.includes(NUL) ? value.replaceAll(NUL, '') : value).toWellFormed();
