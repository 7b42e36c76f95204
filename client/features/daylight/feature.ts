import type { ClientFeature } from '../../platform/features.ts';
import { DaylightBanner } from './daylight-banner.tsx';

export const daylight: ClientFeature = { banners: [DaylightBanner] };
