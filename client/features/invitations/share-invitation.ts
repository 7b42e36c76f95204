import { PRODUCT } from '../../platform/product.ts';
import { share } from '../../platform/ui/buttons/share.ts';

export const INVITATION_TEXT = `Walk with me on ${PRODUCT}.`;

/** Opens the share sheet with the link of an invitation; null where the device has none. */
export const shareInvitation: ((url: string) => void) | null =
  share && ((url) => share?.(url, { text: INVITATION_TEXT }));
