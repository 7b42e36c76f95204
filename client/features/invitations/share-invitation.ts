import { PRODUCT } from '../../platform/product.ts';

/** Opens the share sheet with the link of an invitation; null where the device has none. */
export const shareInvitation: ((url: string) => void) | null =
  'share' in navigator
    ? (url) =>
        // Closing the share sheet isn't an error.
        void navigator
          .share({ title: PRODUCT, text: `Walk with me on ${PRODUCT}.`, url })
          .catch(() => null)
    : null;
