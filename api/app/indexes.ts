import type { Db } from 'mongodb';
import { atMost } from '#shared/server/at-most.ts';
import { declareIndexes } from '#shared/server/declare-indexes.ts';
import { sessionIndexes } from '../platform/session/collections.ts';
import { profileIndexes } from '../features/profile/collections.ts';
import { adminIndexes } from '../platform/admin/collections.ts';
import { accessIndexes } from '../features/access-gate/collections.ts';
import { adIndexes } from '../features/ads/collections.ts';
import { advertiserIndexes } from '../features/advertisers/collections.ts';
import { friendLinkIndexes } from '../features/friend-links/collections.ts';
import { friendIndexes } from '../features/friends/collections.ts';
import { friendlyIndexIndexes } from '../features/friendly-index/collections.ts';
import { alertIndexes } from '../features/alerts/collections.ts';
import { weatherIndexes } from '../features/weather/collections.ts';
import { hazardIndexes } from '../features/hazards/collections.ts';
import { geocoderIndexes } from '../features/geocoder/collections.ts';
import { amenityIndexes } from '../features/amenities/collections.ts';
import { locationIndexes } from '../features/locations/collections.ts';
import { idempotencyIndexes } from '../platform/http/idempotency.ts';
import { outboxIndexes } from '../platform/outbox/collections.ts';
import { referralIndexes } from '../features/referrals/collections.ts';
import { charityIndexes } from '../features/charities/collections.ts';
import { invitationIndexes } from '../features/invitations/collections.ts';
import { paymentIndexes } from '../features/payments/collections.ts';
import { chatIndexes } from '../features/chat/collections.ts';
import { moderationIndexes } from '../features/moderation/collections.ts';
import { rateLimitIndexes } from '../platform/http/rate-limit.ts';
import { fileIndexes } from '../platform/files/store.ts';
import { proximityIndexes } from '../features/proximity/collections.ts';
import { deletionIndexes } from '../features/deletions/collections.ts';
import { plannedWalkIndexes } from '../features/planned-walks/collections.ts';
import { walkerIndexes } from '../features/walkers/collections.ts';
import { pushIndexes } from '../platform/push/collections.ts';
import type { Indexes } from '../platform/database.ts';

/** The indexes of every feature's collections. */
const INDEXES: Indexes = {
  ...sessionIndexes,
  ...profileIndexes,
  ...adminIndexes,
  ...accessIndexes,
  ...adIndexes,
  ...advertiserIndexes,
  ...friendIndexes,
  ...friendLinkIndexes,
  ...friendlyIndexIndexes,
  ...alertIndexes,
  ...weatherIndexes,
  ...locationIndexes,
  ...amenityIndexes,
  ...geocoderIndexes,
  ...hazardIndexes,
  ...idempotencyIndexes,
  ...outboxIndexes,
  ...referralIndexes,
  ...charityIndexes,
  ...invitationIndexes,
  ...paymentIndexes,
  ...chatIndexes,
  ...moderationIndexes,
  ...rateLimitIndexes,
  ...fileIndexes,
  ...proximityIndexes,
  ...plannedWalkIndexes,
  ...walkerIndexes,
  ...pushIndexes,
  ...deletionIndexes,
};

/** Each one uses a connection, which costs MongoDB a thread. */
const AT_ONCE = 8;

/** Creates the indexes that are missing, and drops those that are no longer declared. */
export async function createIndexes(db: Db): Promise<void> {
  const inTurn = atMost(AT_ONCE);
  await Promise.all(
    Object.entries(INDEXES).map(([collection, indexes]) =>
      inTurn(() => declareIndexes(db.collection(collection), indexes)),
    ),
  );
}
