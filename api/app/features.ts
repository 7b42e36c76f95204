import { accessGate } from '../features/access-gate/feature.ts';
import { account } from '../features/account/feature.ts';
import { ads } from '../features/ads/feature.ts';
import { advertisers } from '../features/advertisers/feature.ts';
import { alerts } from '../features/alerts/feature.ts';
import { amenities } from '../features/amenities/feature.ts';
import { blocks } from '../features/blocks/feature.ts';
import { charities } from '../features/charities/feature.ts';
import { chat } from '../features/chat/feature.ts';
import { contentRules } from '../features/content-rules/feature.ts';
import { deletions } from '../features/deletions/feature.ts';
import { dogs } from '../features/dogs/feature.ts';
import { friendLinks } from '../features/friend-links/feature.ts';
import { friendlyIndex } from '../features/friendly-index/feature.ts';
import { friends } from '../features/friends/feature.ts';
import { geocoder } from '../features/geocoder/feature.ts';
import { hazards } from '../features/hazards/feature.ts';
import { invitations } from '../features/invitations/feature.ts';
import { locations } from '../features/locations/feature.ts';
import { moderation } from '../features/moderation/feature.ts';
import { payments } from '../features/payments/feature.ts';
import { plannedWalks } from '../features/planned-walks/feature.ts';
import { profile } from '../features/profile/feature.ts';
import { proximity } from '../features/proximity/feature.ts';
import { referrals } from '../features/referrals/feature.ts';
import { sounds } from '../features/sounds/feature.ts';
import { walkers } from '../features/walkers/feature.ts';
import { walks } from '../features/walks/feature.ts';
import { weather } from '../features/weather/feature.ts';
import type { ApiFeature } from '../platform/services.ts';

/** All features, in the order in which they are mounted: those that use what others offer come after them. */
export const FEATURES: readonly ApiFeature[] = [
  contentRules,
  accessGate,
  profile,
  dogs,
  sounds,
  blocks,
  friends,
  friendLinks,
  moderation,
  chat,
  friendlyIndex,
  ads,
  proximity,
  alerts,
  weather,
  hazards,
  walkers,
  walks,
  plannedWalks,
  locations,
  amenities,
  geocoder,
  referrals,
  invitations,
  charities,
  payments,
  advertisers,
  // Last: export and deletion use the personal-data handlers of all other features.
  account,
  deletions,
];
