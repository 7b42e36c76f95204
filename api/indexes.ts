import type { Db } from 'mongodb';
import { atMost } from '#shared/server/at-most.ts';
import { declareIndexes } from '#shared/server/declare-indexes.ts';
import { sessionIndexes } from './session/collections.ts';
import { profileIndexes } from './profile/collections.ts';
import { adminIndexes } from './admin/collections.ts';
import { accessIndexes } from './access-gate/collections.ts';
import { adIndexes } from './ads/collections.ts';
import { advertiserIndexes } from './advertisers/collections.ts';
import { friendLinkIndexes } from './friend-links/collections.ts';
import { friendIndexes } from './friends/collections.ts';
import { friendlyIndexIndexes } from './friendly-index/collections.ts';
import { alertIndexes } from './alerts/collections.ts';
import { weatherIndexes } from './weather/collections.ts';
import { hazardIndexes } from './hazards/collections.ts';
import { geocoderIndexes } from './geocoder/collections.ts';
import { locationIndexes } from './locations/collections.ts';
import { idempotencyIndexes } from './http/idempotency.ts';
import { outboxIndexes } from './outbox/collections.ts';
import { referralIndexes } from './referrals/collections.ts';
import { charityIndexes } from './charities/collections.ts';
import { invitationIndexes } from './invitations/collections.ts';
import { paymentIndexes } from './payments/collections.ts';
import { chatIndexes } from './chat/collections.ts';
import { moderationIndexes } from './moderation/collections.ts';
import { rateLimitIndexes } from './http/rate-limit.ts';
import { fileIndexes } from './files/store.ts';
import { proximityIndexes } from './proximity/collections.ts';
import { deletionIndexes } from './deletions/collections.ts';
import { plannedWalkIndexes } from './planned-walks/collections.ts';
import { pushIndexes } from './push/collections.ts';
import type { Indexes } from './database.ts';

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
