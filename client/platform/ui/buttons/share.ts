import { PRODUCT } from '../../product.ts';

/** Opens the share sheet with a link; null where the device has none. @param title by default, the product's name */
export const share:
  | ((url: string, more?: { title?: string; text?: string | undefined }) => void)
  | null =
  'share' in navigator
    ? (url, { title = PRODUCT, text } = {}) =>
        // Closing the share sheet isn't an error.
        void navigator.share({ title, ...(text !== undefined && { text }), url }).catch(() => null)
    : null;
