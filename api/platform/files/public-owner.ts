/** Prefix of owners of public images, such as in ads. */
const PUBLIC = 'public:';

/**
 * Returns the owner id of an image that visitors may see.
 * @param whose its kind and id, such as 'advertiser:abc'
 */
export const publicOwner = (whose: string): string => `${PUBLIC}${whose}`;

/** Returns whether visitors may see an owner’s images. */
export const isPublicOwner = (owner: string): boolean => owner.startsWith(PUBLIC);

/** Returns the URL of a public image. */
export const pictureUrl = (key: string | null): string | null =>
  key === null ? null : `/api/public-files/${key}`;
