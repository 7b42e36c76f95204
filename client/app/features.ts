import { accessGate } from '../features/access-gate/feature.ts';
import { ads } from '../features/ads/feature.ts';
import { advertisers } from '../features/advertisers/feature.ts';
import { alerts } from '../features/alerts/feature.ts';
import { blocks } from '../features/blocks/feature.ts';
import { card } from '../features/card/feature.ts';
import { charities } from '../features/charities/feature.ts';
import { chat } from '../features/chat/feature.ts';
import { dogs } from '../features/dogs/feature.ts';
import { friendLinks } from '../features/friend-links/feature.ts';
import { friendlyIndex } from '../features/friendly-index/feature.ts';
import { friends } from '../features/friends/feature.ts';
import { hazards } from '../features/hazards/feature.ts';
import { locations } from '../features/locations/feature.ts';
import { moderation } from '../features/moderation/feature.ts';
import { plannedWalks } from '../features/planned-walks/feature.ts';
import { profile } from '../features/profile/feature.ts';
import { proximity } from '../features/proximity/feature.ts';
import { push } from '../features/push/feature.ts';
import { referrals } from '../features/referrals/feature.ts';
import { settings } from '../features/settings/feature.ts';
import { sounds } from '../features/sounds/feature.ts';
import { walks } from '../features/walks/feature.ts';
import { setFeatures, type ClientFeature } from '../platform/features.ts';
import { lazyRoute, screenRoute } from '../platform/screen-route.ts';
import { chat as chatScreen, home, social } from './first-screens.tsx';

/** Screens of several features. */
const app: ClientFeature = {
  screens: [
    screenRoute('/home', home.Screen),
    screenRoute('/social', social.Screen),
    screenRoute('/chat/:friendUserId', chatScreen.Screen),
    lazyRoute('/you', () => import('./dashboard/you-page.tsx')),
    lazyRoute('/settings', () => import('./settings/settings-page.tsx')),
    lazyRoute('/onboarding', () => import('./onboarding/onboarding-page.tsx')),
  ],
};

/** All features of the app. Providers of earlier ones wrap those of later ones, and banners and notices are drawn in this order. */
const FEATURES: readonly ClientFeature[] = [
  moderation,
  friends,
  proximity,
  alerts,
  walks,
  locations,
  dogs,
  charities,
  profile,
  friendLinks,
  settings,
  push,
  hazards,
  ads,
  plannedWalks,
  advertisers,
  blocks,
  card,
  chat,
  referrals,
  sounds,
  accessGate,
  friendlyIndex,
  app,
];

setFeatures(FEATURES);
