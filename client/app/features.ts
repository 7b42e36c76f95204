import { ads } from '../features/ads/feature.ts';
import { advertisers } from '../features/advertisers/feature.ts';
import { alerts } from '../features/alerts/feature.ts';
import { blocks } from '../features/blocks/feature.ts';
import { charities } from '../features/charities/feature.ts';
import { chat } from '../features/chat/feature.ts';
import { card } from '../features/card/feature.ts';
import { friends } from '../features/friends/feature.ts';
import { locations } from '../features/locations/feature.ts';
import { push } from '../features/push/feature.ts';
import { sounds } from '../features/sounds/feature.ts';
import { walks } from '../features/walks/feature.ts';
import { setFeatures, type ClientFeature } from '../platform/features.ts';

/** All features of the app. */
const FEATURES: readonly ClientFeature[] = [
  ads,
  advertisers,
  alerts,
  blocks,
  charities,
  chat,
  card,
  friends,
  locations,
  push,
  sounds,
  walks,
];

setFeatures(FEATURES);
