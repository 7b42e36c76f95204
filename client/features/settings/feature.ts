import type { ClientFeature } from '../../platform/features.ts';
import { FeltToasts } from './haptic-toasts.tsx';

export const settings: ClientFeature = {
  notices: [FeltToasts],
};
