import { PRODUCT } from '../../product.ts';

/** Opens the share sheet with a link; null where the device has none. */
export const share: ((url: string, text?: string) => void) | null =
  'share' in navigator
    ? (url, text) =>
        // Closing the share sheet isn't an error.
        void navigator
          .share({ title: PRODUCT, ...(text !== undefined && { text }), url })
          .catch(() => null)
    : null;
