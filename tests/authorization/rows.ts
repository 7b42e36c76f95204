import { inHours, localFields, timedFields } from '../advertisers/sign-up.ts';
import { walletToken } from '../payments/pay.ts';
import { toneFile } from '../sounds/tone.ts';
import { picture, ROLES, type Role, type World } from './world.ts';

/** What a call sends. */
export interface Sent {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | boolean>;
  body?: unknown;
  file?: Blob;
}

/** An id that is nobody's, of the kind of another one. */
export const missing = <Id extends string | number>(id: Id): Id =>
  (typeof id === 'number' ? 987_654_321 : 'nobodys-id-000000000000') as Id;

/**
 * What is somebody's, and does not exist for anybody else: the answer must be the one for an id that nobody has. The owner's
 * own call, which comes last, must succeed: that the thing was there.
 */
interface Hidden {
  kind: 'hidden';
  what: string;
  id: (world: World) => string | number;
  sent: (id: never, world: World, role: Role | 'owner') => Sent | Promise<Sent>;
  /** The status that others get, where it is not 404. */
  statuses: Partial<Record<Role, number>>;
  /** 'advertiser' has the cookie of the advertiser's browser. */
  owner: keyof World['owners'];
  /** What the owner's call answers. */
  owned: number;
  /** For whom it does exist, with the answer's status. The reason stands beside it. */
  except: Partial<Record<Role, number>>;
}

/** What others may see or do by design. */
interface Shared {
  kind: 'shared';
  what: string;
  why: string;
  sent: (world: World) => Sent | Promise<Sent>;
  statuses: Record<Role, number>;
}

/** What is no id of a thing that could be somebody's: a version, a cursor, a choice, or a secret that is itself the right. */
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

/** What a member may do; the gate refuses the others before anything is looked at. */
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
const everybodyGets = (status: number): Record<Role, number> =>
  Object.fromEntries(ROLES.map((role) => [role, status])) as Record<Role, number>;

/** Whoever has no dashboard is asked to open the link, whatever the id is. */
const NO_DASHBOARD = { ...everybodyGets(401), otherAdvertiser: 404 };

const shared = (
  what: string,
  why: string,
  sent: Shared['sent'],
  statuses: Record<Role, number> = membersMay(),
): Row => ({ kind: 'shared', what, why, sent, statuses });

const noOwner = (why: string): Row => ({ kind: 'no owner', why });

const byId = (id: string | number): Sent => ({ params: { id } });
const vote = (id: string): Sent => ({ ...byId(id), body: { is_helpful: true } });
const sayTime = { scheduled_start_at: inHours(30), placement: 'sidebar' as const };
const HELD = { scheduled_start_at: inHours(60) };
const clicked = { ad_title: 'Kibble, fresh', ad_url: 'https://kibble.example/shop' };
const locationBody = { name: 'Changed', latitude: 40.78, longitude: -73.97 };
const OWN_BLOCK = 'Whoever is blocked may block in turn (decision 222)';

/**
 * Every call outside of the admin panel that takes an id, a key or the like, by its name in shared/contracts.ts. A new one needs
 * rows here: how somebody's real thing is addressed, and the answer that each other role gets.
 */
export const ROWS: Record<string, Row[]> = {
  'accessGate.validateCode': [noOwner('a code is itself the right to come in')],
  'ads.clickAd': [
    shared(
      'a house ad',
      'ads are shown to everybody',
      ({ ids }) => ({ body: { ad_id: ids.houseAd, ...clicked } }),
      everybodyGets(200),
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
      (advertiser_id) => ({ body: { advertiser_id, ...timedFields(sayTime) } }),
      { owner: 'advertiser' },
    ),
    hidden(
      'a draft',
      (ids) => ids.timedAd,
      (advertisement_id, { ids }, role) => ({
        body: {
          advertiser_id: role === 'owner' ? ids.advertiser : ids.otherAdvertiser,
          advertisement_id,
          ...timedFields(HELD),
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
  'advertisers.findSlot': [
    hidden(
      'which time an ad holds',
      (ids) => ids.timedAd,
      (advertisement_id) => ({
        query: { placement: 'banner', ...HELD, duration_hours: 1, advertisement_id },
      }),
      { owner: 'advertiser', statuses: everybodyGets(200) },
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
  'advertiserDashboard.openDashboard': [noOwner('the link is itself the right to the dashboard')],
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
    shared('an alert', 'alerts concern everybody', ({ ids }) => ({ ...byId(ids.alert), body: {} })),
  ],
  'blocks.createBlock': [
    shared('a person', OWN_BLOCK, ({ ids }) => ({ body: { blocked_user_id: ids.friend } })),
  ],
  'blocks.deleteBlock': [
    hidden(
      'a block of two others',
      (ids) => ids.alsoBlocked,
      (blockedUserId) => ({ params: { blockedUserId } }),
    ),
  ],
  'charities.createCharity': [noOwner('the key of an idempotent request')],
  'charities.listCharities': [noOwner('a cursor of what the same search finds')],
  'charities.createCharityDonation': [
    hidden(
      'a charity that nobody has approved',
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
      'a person who is no friend',
      (ids) => ids.owner,
      (receiver_user_id) => ({ body: { receiver_user_id, message_text: 'Hello' } }),
      { owner: 'friend' },
    ),
  ],
  'chat.markRead': [
    hidden(
      'a message',
      (ids) => ids.message,
      (id) => ({ body: { message_ids: [id] } }),
      { statuses: everybodyGets(200) },
    ),
  ],
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
      // A warning carries the pictures of dogs: their keys are the right to them, unless one of the two blocked the other.
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
  'friends.createFriendRequest': [
    hidden(
      'a person who has blocked the caller',
      (ids) => ids.owner,
      (receiver_user_id) => ({ body: { receiver_user_id } }),
      // Others may ask.
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
  'friends.deleteFriend': [
    hidden(
      'a friendship of two others',
      (ids) => ids.friend,
      (friendUserId) => ({ params: { friendUserId } }),
    ),
  ],
  'friendlyIndex.getDogFriendlyIndex': [
    hidden(
      'a dog',
      (ids) => ids.dog,
      (id) => ({ ...byId(id), query: {} }),
      // Every member may look at it, unless blocked.
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
  'invitations.searchUsers': [noOwner('an invitation code is itself the right to search')],
  'locations.searchLocations': [noOwner('a cursor of what the same search finds')],
  'locations.getLocation': [
    hidden('a private place', (ids) => ids.privatePlace, byId),
    shared('a public place', 'members share them', ({ ids }) => byId(ids.publicPlace)),
  ],
  'locations.updateLocation': [
    hidden(
      'a private place',
      (ids) => ids.privatePlace,
      (id) => ({ ...byId(id), body: { ...locationBody, is_public: false } }),
    ),
    hidden(
      'a public place of somebody else',
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
      'a tip of somebody else',
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
    hidden('a public place of somebody else', (ids) => ids.publicPlace, byId),
  ],
  'moderation.getWords': [noOwner('the version of the words that a device has')],
  'moderation.reportMessage': [
    hidden(
      'a message that somebody else got',
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
      // Every member may look, unless blocked.
      except: { stranger: 200, formerFriend: 200, admin: 200 },
    }),
  ],
  'proximity.reportLocation': [noOwner('the id of a device and a number of its reports')],
  'proximity.dropLocation': [noOwner('the id of a device and a number of its reports')],
  'referrals.trackAccess': [
    hidden(
      'whose invitation it was',
      (ids) => ids.owner,
      (referrer_id) => ({ body: { referrer_id, access_code: 'NO-SUCH-CODE' } }),
      { statuses: everybodyGets(200) },
    ),
  ],
  'session.createSession': [noOwner('a code of the identity provider, for this browser alone')],
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

/** The calls of the admin panel, by how their paths begin: what a real `:id` of them is. The longest that fits counts. */
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
  '/admin/location-tips/': (ids) => ids.publicTip,
  '/admin/message-reports/': (ids) => ids.report,
  '/admin/people/': (ids) => ids.owner,
  '/admin/pictures/': (ids) => ids.picture,
  '/admin/user-warnings/': (ids) => ids.warning,
  '/admin/moderation-rules/': (ids) => ids.rule,
  '/admin/moderation-log/': (ids) => ids.logEntry,
  '/admin/guidelines/': (ids) => ids.guideline,
  '/admin/donations/': (ids) => ids.donation,
};
