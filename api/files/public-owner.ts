/** Owners of images that anybody may see: they belong to what is advertised. */
const PUBLIC = 'public:';

/** As whose an image is kept that visitors may see, too. @param whose its kind and id, such as 'advertiser:abc' */
export const publicOwner = (whose: string): string => `${PUBLIC}${whose}`;

/** Whether visitors may see an image of this owner. */
export const isPublicOwner = (owner: string): boolean => owner.startsWith(PUBLIC);

/** Where visitors see such an image. */
export const pictureUrl = (key: string | null): string | null =>
  key === null ? null : `/api/public-files/${key}`;
