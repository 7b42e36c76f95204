import type { ClientFeature } from '../../platform/features.ts';
import { SanctionBanner } from './sanction-notice.tsx';
import { SuspensionGate } from './suspension-gate.tsx';

export const moderation: ClientFeature = {
  Provider: SuspensionGate,
  banners: [SanctionBanner],
};
