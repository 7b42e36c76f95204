import type { ClientFeature } from '../../platform/features.ts';
import { readDraft, storeDraft, storeImage } from './signup/draft.ts';

export const advertisers: ClientFeature = {
  /** Forms of visitors are not stored by user. A payment with an unknown outcome stays, or it could be made twice. */
  async forget() {
    const { isSent, isPaid } = readDraft();
    if (isSent && !isPaid) return;
    storeDraft(null);
    if ('caches' in window) await storeImage(null);
  },
};
