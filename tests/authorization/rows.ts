import { randomUUID } from 'node:crypto';
import { inHours, localFields, timedFields } from '../advertisers/sign-up.ts';
import { walletToken } from '../payments/pay.ts';
import { toneFile } from '../sounds/tone.ts';
import { picture, recording, ROLES, type Role, type World } from './world.ts';

//** The parameters and payload of a call. */
export interface Sent {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | boolean>;
  body?: unknown;
  file?: Blob;
}

/** Returns an unused id of the same type. */
export const missing = <Id extends string | number>(id: Id): Id =>
  (typeof id === 'number' ? 987_654_321 : 'nobodys-id-000000000000') as Id;

/**
 * A resource that looks nonexistent to others: they must get the same answer as for an unused id. The
 * owner's call, which runs last, must succeed to prove that the resource existed.
 */
interface Hidden {
  kind: 'hidden';
  what: string;
  id: (world: World) => string | number;
  sent: (id: never, world: World, role: Role | 'owner') => Sent | Promise<Sent>;
  /** The status that others get if it isn't 404. */
  statuses: Partial<Record<Role, number>>;
  /** 'advertiser' uses the cookie of the advertiser's browser. */
  owner: keyof World['owners'];
  /** The status of the owner's call. */
  owned: number;
  /** The roles that may access the resource and the status they get. A comment gives the reason. */
  except: Partial<Record<Role, number>>;
}

/** A resource that others may access by design. */
interface Shared {
  kind: 'shared';
  what: string;
  why: string;
  sent: (world: World) => Sent | Promise<Sent>;
  statuses: Record<Role, number>;
}

/** A field that identifies no owned resource: a version, a cursor, a choice, or a secret that grants access itself. */
interface NoOwner {
  kind: 'no owner';
  why: string;
}

export type Row = Hidden | Shared | NoOwner;

function hidden<Id extends string | number>(
  what: string,
  id: (ids: World['ids']) => Id,
  sent: (id: Id, world: World, role: Role | 'owner') => Sent | Promise<Sent>,
  more: Partial<Pick<Hidden, 'statuses' | 'owner' | 'owned' | 'except'>> = {},
): Row {
  return {
    kind: 'hidden',
    what,
    id: ({ ids }) => id(ids),
    sent,
    statuses: {},
    owner: 'owner',
    owned: 200,
    except: {},
    ...more,
  };
}

/** The statuses of a call for members: the access check refuses other roles. */
const membersMay = (overrides: Partial<Record<Role, number>> = {}): Record<Role, number> => ({
  visitor: 401,
  withoutAccess: 403,
  stranger: 200,
  formerFriend: 200,
  blocked: 200,
  otherAdvertiser: 401,
  admin: 200,
  ...overrides,
});
const sameForAll = (status: number): Record<Role, number> =>
  Object.fromEntries(ROLES.map((role) => [role, status])) as Record<Role, number>;

/** Callers without a dashboard session get 401 for any id. */
const NO_DASHBOARD = { ...sameForAll(401), otherAdvertiser: 404 };

const shared = (
  what: string,
  why: string,
  sent: Shared['sent'],
  statuses: Record<Role, number> = membersMay(),
): Row => ({ kind: 'shared', what, why, sent, statuses });

const noOwner = (why: string): Row => ({ kind: 'no owner', why });

const byId = (id: string | number): Sent => ({ params: { id } });
const vote = (id: string): Sent => ({ ...byId(id), body: { is_helpful: true } });
const rated = (id: string): Sent => ({ ...byId(id), body: { rating: 4 } });
const freeTime = { scheduled_start_at: inHours(30), placement: 'sidebar' as const };
const RESERVED_TIME = { scheduled_start_at: inHours(60) };
const clicked = { ad_title: 'Kibble, fresh', ad_url: 'https://kibble.example/shop' };
const plannedWalkWith = (friendId: string) => ({
  starts_at: inHours(20),
  place_name: 'Green',
  participant_ids: [friendId],
});
const locationBody = { name: 'Changed', latitude: 40.78, longitude: -73.97 };
const OWN_BLOCK = 'A blocked user may block the other user, too (decision 222)';

/**
 * Every non-admin call that takes an id, a key, or the like, by its name in shared/contracts.ts. A new call needs
 * rows here: how an existing resource is addressed, and the answer that each other role gets.
 */
export const ROWS: Record<string, Row[]> = {
  'accessGate.validateCode': [noOwner('the code itself grants access')],
  // Before the rows that end friendships.
  'plannedWalks.createPlannedWalk': [
    hidden(
      'a person, to people who aren’t their friends,',
      (ids) => ids.owner,
      (owner) => ({ body: { id: randomUUID(), ...plannedWalkWith(owner) } }),
      { owner: 'friend', statuses: sameForAll(400) },
    ),
  ],
  'plannedWalks.updatePlannedWalk': [
    hidden(
      'a planned walk of another user',
      (ids) => ids.plannedWalk.id,
      (id, { ids }) => ({ ...byId(id), body: plannedWalkWith(ids.friend) }),
    ),
  ],
  'plannedWalks.answerPlannedWalk': [
    hidden(
      'an invitation to walk',
      (ids) => ids.answeredWalk.id,
      (id, { ids }) => ({
        ...byId(id),
        body: { answer: 'yes', starts_at: ids.answeredWalk.starts_at },
      }),
      { owner: 'friend' },
    ),
  ],
  'plannedWalks.cancelPlannedWalk': [
    hidden('a planned walk of another user', (ids) => ids.plannedWalk.id, byId),
  ],
  'ads.clickAd': [
    shared(
      'a house ad',
      'ads are shown to everyone',
      ({ ids }) => ({ body: { ad_id: ids.houseAd, ...clicked } }),
      sameForAll(200),
    ),
  ],
  'ads.clickPaidAd': [
    hidden(
      'an unpaid ad',
      (ids) => ids.timedAd,
      (ad_id) => ({ body: { ad_id, ...clicked } }),
      {
        owner: 'advertiser',
        owned: 404,
      },
    ),
  ],
  'ads.seeAd': [
    hidden(
      'an unpaid ad',
      (ids) => ids.timedAd,
      (ad_id) => ({ body: { ad_id, view_id: 'made-up' } }),
      { owner: 'advertiser', owned: 404 },
    ),
  ],
  'advertisers.createTimedAd': [
    hidden(
      'an advertiser',
      (ids) => ids.advertiser,
      (advertiser_id) => ({ body: { advertiser_id, ...timedFields(freeTime) } }),
      { owner: 'advertiser' },
    ),
    hidden(
      'a draft',
      (ids) => ids.timedAd,
      (advertisement_id, { ids }, role) => ({
        body: {
          advertiser_id: role === 'owner' ? ids.advertiser : ids.otherAdvertiser,
          advertisement_id,
          ...timedFields(RESERVED_TIME),
        },
      }),
      { owner: 'advertiser' },
    ),
  ],
  'advertisers.createLocationAd': [
    hidden(
      'an advertiser',
      (ids) => ids.advertiser,
      (advertiser_id) => ({ body: { advertiser_id, ...localFields() } }),
      { owner: 'advertiser' },
    ),
    hidden(
      'a draft',
      (ids) => ids.localAd,
      (advertisement_id, { ids }, role) => ({
        body: {
          advertiser_id: role === 'owner' ? ids.advertiser : ids.otherAdvertiser,
          advertisement_id,
          ...localFields(),
        },
      }),
      { owner: 'advertiser' },
    ),
  ],
  'advertisers.listTakenTimes': [
    hidden(
      'the reserved time of an ad',
      (ids) => ids.timedAd,
      (advertisement_id) => ({
        query: { placement: 'banner', from: inHours(48), until: inHours(72), advertisement_id },
      }),
      { owner: 'advertiser', statuses: sameForAll(200) },
    ),
  ],
  'advertisers.findSlot': [
    hidden(
      'the reserved time of an ad',
      (ids) => ids.timedAd,
      (advertisement_id) => ({
        query: { placement: 'banner', ...RESERVED_TIME, duration_hours: 1, advertisement_id },
      }),
      { owner: 'advertiser', statuses: sameForAll(200) },
    ),
  ],
  'advertisers.payForAd': [
    hidden(
      'an ad',
      (ids) => ids.timedAd,
      async (advertisement_id, { api, ids }, role) => ({
        body: {
          payment_token: await walletToken(api, 'pays'),
          advertiser_id: role === 'otherAdvertiser' ? ids.otherAdvertiser : ids.advertiser,
          advertisement_id,
          period: 0,
        },
      }),
      { owner: 'advertiser' },
    ),
  ],
  'advertisers.checkAdPayment': [
    hidden(
      'an ad',
      (ids) => ids.timedAd,
      (advertisement_id, { ids }, role) => ({
        body: {
          advertiser_id: role === 'otherAdvertiser' ? ids.otherAdvertiser : ids.advertiser,
          advertisement_id,
          period: 0,
        },
      }),
      { owner: 'advertiser' },
    ),
  ],
  'advertiserDashboard.openDashboard': [noOwner('the link itself grants access to the dashboard')],
  'advertiserDashboard.updateTimedAd': [
    hidden(
      'an ad',
      (ids) => ids.timedAd,
      (id) => ({
        ...byId(id),
        body: { title: 'New', description: 'New.', target_url: 'https://kibble.example/' },
      }),
      { owner: 'advertiser', statuses: NO_DASHBOARD },
    ),
  ],
  'advertiserDashboard.cancelTimedAd': [
    hidden('an ad', (ids) => ids.timedAd, byId, { owner: 'advertiser', statuses: NO_DASHBOARD }),
  ],
  'advertiserDashboard.updateListing': [
    hidden(
      'a listing',
      (ids) => ids.localAd,
      (id) => ({ ...byId(id), body: { paused: true } }),
      { owner: 'advertiser', statuses: NO_DASHBOARD },
    ),
  ],
  'alerts.acknowledgeAlert': [
    shared('an alert', 'alerts are for everyone', ({ ids }) => ({ ...byId(ids.alert), body: {} })),
  ],
  'hazards.uploadHazardPhoto': [
    hidden(
      'a hazard of another user',
      (ids) => ids.hazard,
      async (id) => ({ ...byId(id), file: await picture() }),
    ),
  ],
  'proximity.answerEncounter': [
    hidden(
      'a person whom the caller didn’t meet',
      (ids) => ids.friend,
      (user_id) => ({ body: { user_id, phrase: 'waiting' } }),
      { owned: 404 },
    ),
  ],
  'blocks.createBlock': [
    shared('a person', OWN_BLOCK, ({ ids }) => ({ body: { blocked_user_id: ids.friend } })),
  ],
  'blocks.deleteBlock': [
    hidden(
      'a block between two other users',
      (ids) => ids.alsoBlocked,
      (blockedUserId) => ({ params: { blockedUserId } }),
    ),
  ],
  'charities.getCharityPage': [noOwner('a verified charity, whose page is public')],
  'charities.openApplication': [noOwner('a signed token of an emailed link')],
  'charities.changeApplication': [noOwner('a signed token of an emailed link')],
  'charities.createCharity': [noOwner('the key of an idempotent request')],
  'charities.listCharities': [noOwner('a cursor of the same search')],
  'charities.createCharityDonation': [
    hidden(
      'an unapproved charity',
      (ids) => ids.hiddenCharity,
      (charity_id) => ({ body: { charity_id } }),
      { owned: 404 },
    ),
  ],
  'chat.listMessages': [
    hidden(
      'a thread',
      (ids) => ids.owner,
      (friendUserId) => ({ params: { friendUserId }, query: {} }),
      { owner: 'friend' },
    ),
  ],
  'chat.searchMessages': [
    hidden(
      'a thread',
      (ids) => ids.owner,
      (friend_user_id) => ({ query: { words: 'late', friend_user_id } }),
      { owner: 'friend' },
    ),
  ],
  'chat.sendMessage': [
    hidden(
      'a person who is not a friend',
      (ids) => ids.owner,
      (receiver_user_id) => ({ body: { receiver_user_id, message_text: 'Hello' } }),
      { owner: 'friend' },
    ),
  ],
  'chat.saveDraft': [
    hidden(
      'a person who is not a friend',
      (ids) => ids.owner,
      (friendUserId) => ({ params: { friendUserId }, body: { text: 'Hello', base_version: 0 } }),
      { owner: 'friend' },
    ),
  ],
  'chat.uploadMessagePhoto': [
    hidden(
      'a message with a photo',
      (ids) => ids.photoMessage,
      async (id) => ({ ...byId(id), file: await picture() }),
    ),
  ],
  'chat.uploadMessageVoice': [
    hidden(
      'a voice note',
      (ids) => ids.voiceMessage,
      (id) => ({ ...byId(id), file: recording() }),
    ),
  ],
  'chat.editMessage': [
    hidden(
      'a message',
      (ids) => ids.editedMessage,
      (id) => ({ ...byId(id), body: { message_text: 'Changed' } }),
    ),
  ],
  'chat.unsendMessage': [hidden('a message', (ids) => ids.ownMessage, byId)],
  'chat.markRead': [
    hidden(
      'a message',
      (ids) => ids.message,
      (id) => ({ body: { message_ids: [id] } }),
      { statuses: sameForAll(200) },
    ),
  ],
  'dogs.createDog': [noOwner('the id of a new dog on the caller’s own card')],
  'dogs.updateDog': [
    hidden(
      'a dog',
      (ids) => ids.dog,
      (id) => ({ ...byId(id), body: { name: 'Mine', sound_type: 'leash_on' } }),
    ),
  ],
  'files.getFile': [
    hidden(
      'a picture',
      (ids) => ids.picture,
      (key) => ({ params: { key } }),
      // A warning contains the keys of dog pictures. A key grants access unless one of the two users blocked the other.
      { except: { stranger: 200, formerFriend: 200, admin: 200 } },
    ),
  ],
  'files.getPublicFile': [
    hidden(
      'a picture of a member',
      (ids) => ids.picture,
      (key) => ({ params: { key } }),
      { owned: 404 },
    ),
  ],
  'dogs.uploadDogImage': [
    hidden(
      'a dog',
      (ids) => ids.dog,
      async (id) => ({ ...byId(id), file: await picture() }),
    ),
  ],
  'dogs.deleteDog': [hidden('a dog', (ids) => ids.otherDog, byId)],
  'friendLinks.openFriendLink': [
    hidden(
      'the QR code of a person who has blocked the caller',
      (ids) => ids.friendLink,
      (token) => ({ body: { token } }),
      { owner: 'friend', except: { stranger: 200, formerFriend: 200, admin: 200 } },
    ),
  ],
  'friendLinks.redeemLiveCode': [
    noOwner('the code itself makes the friendship: its owner shows it'),
  ],
  'friendLinks.previewFriendLink': [noOwner('an unguessable link, which its owner hands out')],
  'friends.createFriendRequest': [
    hidden(
      'a person who has blocked the caller',
      (ids) => ids.owner,
      (receiver_user_id) => ({ body: { receiver_user_id } }),
      // Others may send a request.
      { owner: 'friend', except: { stranger: 200, formerFriend: 200, admin: 200 } },
    ),
  ],
  'friends.respondToFriendRequest': [
    hidden(
      'a request',
      (ids) => ids.request,
      (request_id) => ({ body: { request_id, action: 'accept' } }),
    ),
  ],
  'friends.withdrawFriendRequest': [
    hidden(
      'a request of another user',
      (ids) => ids.friend,
      (receiverUserId) => ({ params: { receiverUserId } }),
      // The owner’s request was accepted.
      { owned: 409 },
    ),
  ],
  'friends.deleteFriend': [
    hidden(
      'a friendship of two other users',
      (ids) => ids.friend,
      (friendUserId) => ({ params: { friendUserId } }),
    ),
  ],
  'friendlyIndex.getDogFriendlyIndex': [
    hidden(
      'a dog',
      (ids) => ids.dog,
      (id) => ({ ...byId(id), query: {} }),
      // Every member may read it unless blocked.
      { except: { stranger: 200, formerFriend: 200, admin: 200 } },
    ),
    hidden(
      'a dog with its owner',
      (ids) => ids.owner,
      (owner_user_id, { ids }) => ({ ...byId(ids.dog), query: { owner_user_id } }),
      { except: { stranger: 200, formerFriend: 200, admin: 200 } },
    ),
  ],
  'friendlyIndex.getUserFriendlyIndex': [
    hidden('a person', (ids) => ids.owner, byId, {
      except: { stranger: 200, formerFriend: 200, admin: 200 },
    }),
  ],
  'hazards.voteOnHazard': [
    shared('a hazard', 'members share them', ({ ids }) => ({
      ...byId(ids.hazard),
      body: { is_there: true },
    })),
  ],
  'hazards.reportHazard': [
    shared('a hazard', 'members share them', ({ ids }) => byId(ids.reportedHazard)),
  ],
  'hazards.deleteHazard': [hidden('a hazard of another user', (ids) => ids.hazard, byId)],
  'invitations.openInvitation': [noOwner('the invitation code itself leads to who made it')],
  'invitations.resendInvitation': [hidden('an invitation', (ids) => ids.sentInvitation, byId)],
  'invitations.revokeInvitation': [hidden('an invitation', (ids) => ids.otherInvitation, byId)],
  'invitations.searchUsers': [noOwner('the invitation code itself grants the search')],
  'locations.searchLocations': [noOwner('a cursor of the same search')],
  'locations.getLocation': [
    hidden('a private place', (ids) => ids.privatePlace, byId),
    shared('a public place', 'members share them', ({ ids }) => byId(ids.publicPlace)),
  ],
  'locationsPhotos.uploadLocationPhoto': [
    hidden(
      'a private place',
      (ids) => ids.privatePlace,
      async (id) => ({ ...byId(id), file: await picture() }),
    ),
    shared('a public place', 'members share them', async ({ ids }) => ({
      ...byId(ids.publicPlace),
      file: await picture(),
    })),
  ],
  'locationsPhotos.deleteLocationPhoto': [
    hidden('a photo of another user', (ids) => ids.photo, byId),
  ],
  'locationsVisits.rateLocation': [
    hidden('a private place', (ids) => ids.privatePlace, rated),
    shared('a public place', 'members share them', ({ ids }) => rated(ids.publicPlace)),
  ],
  'locationsVisits.withdrawRating': [
    hidden('a private place', (ids) => ids.privatePlace, byId),
    shared('a public place', 'members share them', ({ ids }) => byId(ids.publicPlace)),
  ],
  'locationsVisits.undoVisit': [
    hidden('a private place', (ids) => ids.privatePlace, byId),
    shared('a public place', 'each takes back an own visit', ({ ids }) => byId(ids.publicPlace)),
  ],
  'locationsVisits.updateVisit': [
    hidden(
      'a visit of another user',
      (ids) => ids.visit,
      (id) => ({ ...byId(id), body: { notes: 'Muddy.' } }),
    ),
  ],
  'locationsVisits.deleteVisit': [hidden('a visit of another user', (ids) => ids.visit, byId)],
  'locations.updateLocation': [
    hidden(
      'a private place',
      (ids) => ids.privatePlace,
      (id) => ({ ...byId(id), body: { ...locationBody, is_public: false } }),
    ),
    hidden(
      'a public place of another user',
      (ids) => ids.publicPlace,
      (id) => ({ ...byId(id), body: locationBody }),
    ),
  ],
  'locations.createTip': [
    hidden(
      'a private place',
      (ids) => ids.privatePlace,
      (location_id) => ({ body: { location_id, title: 'Shade', content: 'Oaks.' } }),
    ),
  ],
  'locations.updateTip': [
    hidden(
      'a tip of another user',
      (ids) => ids.publicTip,
      (id) => ({ ...byId(id), body: { title: 'Shade', content: 'Oaks.' } }),
    ),
  ],
  'locations.voteForTip': [
    hidden('a private tip', (ids) => ids.privateTip, vote, { owned: 400 }),
    hidden('a tip on a private place', (ids) => ids.tipOfPrivatePlace, vote, { owned: 400 }),
    shared('a public tip', 'members share them', ({ ids }) => vote(ids.publicTip)),
  ],
  'locations.createVisit': [
    hidden(
      'a private place',
      (ids) => ids.privatePlace,
      (location_id) => ({ body: { location_id } }),
    ),
  ],
  'locations.reportProblem': [
    hidden(
      'a private place',
      (ids) => ids.privatePlace,
      (location_id) => ({ body: { location_id, report_type: 'other' } }),
    ),
    hidden(
      'a private tip',
      (ids) => ids.privateTip,
      (tip_id, { ids }) => ({
        body: { location_id: ids.publicPlace, tip_id, report_type: 'other' },
      }),
      // Only what others can read can be reported.
      { owned: 404 },
    ),
  ],
  'locations.deleteTip': [hidden('a tip', (ids) => ids.publicTip, byId)],
  'locations.deleteLocation': [
    hidden('a private place', (ids) => ids.privatePlace, byId),
    hidden('a public place of another user', (ids) => ids.publicPlace, byId),
  ],
  'moderation.getWords': [noOwner('the version of the word list on the device')],
  'moderation.reportMessage': [
    hidden(
      'a message to another user',
      (ids) => ids.message,
      (message_id, { ids }) => ({
        body: {
          reported_user_id: ids.friend,
          message_id,
          report_type: 'other',
          description: 'Always late for our walks.',
        },
      }),
    ),
  ],
  'moderation.reportContent': [
    hidden(
      'a request',
      (ids) => ids.request,
      (request_id, { ids }) => ({
        body: {
          subject_type: 'friend_request',
          reported_user_id: ids.requester,
          request_id,
          report_type: 'other',
          description: 'Always late for our walks.',
        },
      }),
    ),
    hidden(
      'an invitation to walk',
      (ids) => ids.plannedWalk.id,
      (planned_walk_id, { ids }) => ({
        body: {
          subject_type: 'planned_walk',
          reported_user_id: ids.owner,
          planned_walk_id,
          report_type: 'other',
          description: 'Always late for our walks.',
        },
      }),
      // A report is about someone else: the organizer has none to make.
      { owned: 404 },
    ),
  ],
  'moderation.acknowledgeWarning': [
    hidden(
      'a warning',
      (ids) => ids.warning,
      (id) => ({ ...byId(id), body: { is_lifted: false, is_answered: false } }),
    ),
  ],
  'moderation.appealWarning': [
    hidden(
      'a warning',
      (ids) => ids.warning,
      (id) => ({ ...byId(id), body: { text: 'I did not use capital letters at all.' } }),
    ),
  ],
  'payments.processDonation': [
    hidden(
      'a donation',
      (ids) => ids.donation,
      async (donation_id, { api }) => ({
        body: { donation_id, payment_token: await walletToken(api, 'pays') },
      }),
    ),
  ],
  'payments.checkDonation': [
    hidden(
      'a donation',
      (ids) => ids.donation,
      (donation_id) => ({ body: { donation_id } }),
    ),
  ],
  'profile.getUserProfile': [
    hidden('a person', (ids) => ids.owner, byId, {
      // Every member may read it unless blocked.
      except: { stranger: 200, formerFriend: 200, admin: 200 },
    }),
  ],
  'proximity.reportLocation': [noOwner('a device id and a report number')],
  'proximity.dropLocation': [noOwner('a device id and a report number')],
  'referrals.getInvitation': [noOwner('an unguessable reference, which the inviter hands out')],
  'referrals.trackAccess': [
    hidden(
      'the inviter',
      (ids) => ids.owner,
      (referrer_id) => ({ body: { referrer_id, access_code: 'NO-SUCH-CODE' } }),
      { statuses: sameForAll(200) },
    ),
  ],
  'session.createSession': [noOwner('a code of the identity provider for this browser only')],
  'push.subscribeToPush': [noOwner('the public keys of the caller’s browser')],
  'sessionDevices.endSession': [hidden('a session', (ids) => ids.session, byId)],
  'sounds.updateSound': [
    hidden(
      'a sound',
      (ids) => ids.sound,
      (id) => ({ ...byId(id), body: { name: 'Mine' } }),
    ),
  ],
  'sounds.getRecording': [
    hidden(
      'a recording',
      (ids) => ids.recording,
      (key) => ({ params: { key } }),
    ),
  ],
  'sounds.uploadSound': [
    hidden(
      'a sound',
      (ids) => ids.sound,
      (id) => ({ ...byId(id), file: toneFile(1) }),
    ),
  ],
  'sounds.deleteSound': [hidden('a sound', (ids) => ids.sound, byId)],
};

/** An existing `:id` for each admin call, by path prefix. The longest matching prefix counts. */
export const ADMIN_IDS: Record<string, (ids: World['ids']) => string | number> = {
  '/admin/access-codes/': (ids) => ids.code,
  '/admin/advertisements/': (ids) => ids.houseAd,
  '/admin/advertisers/': (ids) => ids.advertiser,
  '/admin/advertiser-ads/': (ids) => ids.timedAd,
  '/admin/ad-reviews/': (ids) => ids.timedAd,
  '/admin/business-listings/': (ids) => ids.localAd,
  '/admin/emergency-alerts/': (ids) => ids.alert,
  '/admin/charities/': (ids) => ids.hiddenCharity,
  '/admin/locations/': (ids) => ids.publicPlace,
  '/admin/hazards/': (ids) => ids.reportedHazard,
  '/admin/location-tips/': (ids) => ids.publicTip,
  '/admin/message-reports/': (ids) => ids.report,
  '/admin/people/': (ids) => ids.owner,
  '/admin/pictures/': (ids) => ids.picture,
  '/admin/user-warnings/': (ids) => ids.warning,
  '/admin/moderation-rules/': (ids) => ids.rule,
  '/admin/moderation-log/': (ids) => ids.logEntry,
  '/admin/guidelines/': (ids) => ids.guideline,
  '/admin/saved/': (ids) => ids.saved,
  '/admin/donations/': (ids) => ids.donation,
};
