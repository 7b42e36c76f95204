import * as accessGateAdmin from './access-gate/admin-contract.ts';
import * as accessGate from './access-gate/contract.ts';
import * as account from './account/contract.ts';
import * as admin from './admin/contract.ts';
import * as adsAdmin from './ads/admin-contract.ts';
import * as ads from './ads/contract.ts';
import * as advertisersAdmin from './advertisers/admin-contract.ts';
import * as advertisers from './advertisers/contract.ts';
import * as advertiserDashboard from './advertisers/dashboard-contract.ts';
import * as advertisersReach from './advertisers/reach-contract.ts';
import * as advertisersReview from './advertisers/review-contract.ts';
import * as alertsAdmin from './alerts/admin-contract.ts';
import * as alerts from './alerts/contract.ts';
import * as amenities from './amenities/contract.ts';
import * as blocks from './blocks/contract.ts';
import * as charitiesAdmin from './charities/admin-contract.ts';
import * as charities from './charities/contract.ts';
import * as chat from './chat/contract.ts';
import * as clientErrors from './client-errors/contract.ts';
import * as dogs from './dogs/contract.ts';
import type { Endpoint } from './endpoint.ts';
import * as events from './events/contract.ts';
import * as files from './files/contract.ts';
import * as friendLinks from './friend-links/contract.ts';
import * as friendlyIndex from './friendly-index/contract.ts';
import * as friends from './friends/contract.ts';
import * as geocoder from './geocoder/contract.ts';
import * as hazardsAdmin from './hazards/admin-contract.ts';
import * as hazards from './hazards/contract.ts';
import * as health from './health/contract.ts';
import * as invitations from './invitations/contract.ts';
import * as locationsAdmin from './locations/admin-contract.ts';
import * as locations from './locations/contract.ts';
import * as locationsPhotos from './locations/photo-contract.ts';
import * as locationsVisits from './locations/visit-contract.ts';
import * as moderationAdmin from './moderation/admin-contract.ts';
import * as moderation from './moderation/contract.ts';
import * as moderationPeople from './moderation/people-contract.ts';
import * as moderationRules from './moderation/rules-contract.ts';
import * as overview from './overview/contract.ts';
import * as paymentsAdmin from './payments/admin-contract.ts';
import * as payments from './payments/contract.ts';
import * as plannedWalks from './planned-walks/contract.ts';
import * as profile from './profile/contract.ts';
import * as proximity from './proximity/contract.ts';
import * as push from './push/contract.ts';
import * as referralsAdmin from './referrals/admin-contract.ts';
import * as referrals from './referrals/contract.ts';
import * as session from './session/contract.ts';
import * as sessionDevices from './session/devices-contract.ts';
import * as sounds from './sounds/contract.ts';
import * as start from './start/contract.ts';
import * as walkers from './walkers/contract.ts';
import * as walks from './walks/contract.ts';
import * as weather from './weather/contract.ts';

const features = {
  accessGate,
  accessGateAdmin,
  account,
  admin,
  ads,
  adsAdmin,
  advertisers,
  advertisersAdmin,
  advertiserDashboard,
  advertisersReach,
  advertisersReview,
  alerts,
  alertsAdmin,
  blocks,
  charities,
  charitiesAdmin,
  chat,
  clientErrors,
  dogs,
  events,
  files,
  friendLinks,
  friends,
  friendlyIndex,
  geocoder,
  hazards,
  hazardsAdmin,
  health,
  amenities,
  locations,
  locationsAdmin,
  locationsPhotos,
  locationsVisits,
  invitations,
  moderation,
  moderationAdmin,
  moderationPeople,
  moderationRules,
  overview,
  payments,
  paymentsAdmin,
  plannedWalks,
  profile,
  proximity,
  push,
  referrals,
  referralsAdmin,
  session,
  sessionDevices,
  walkers,
  walks,
  weather,
  sounds,
  start,
};

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

/** Every call of the api, as `feature.name`: for mounting checks, tests of all calls and the OpenAPI description. */
export const contracts: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries(features).flatMap(([feature, exports]) =>
    Object.entries(exports).flatMap(([name, value]) =>
      isEndpoint(value) ? [[`${feature}.${name}`, value] as const] : [],
    ),
  ),
);
