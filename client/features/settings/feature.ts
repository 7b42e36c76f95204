import type { ClientFeature } from '../../platform/features.ts';
import { HapticToasts } from './haptic-toasts.tsx';

export const settings: ClientFeature = {
  notices: [HapticToasts],
};
