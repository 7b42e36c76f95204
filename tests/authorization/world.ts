import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { save } from '#shared/admin/contract.ts';
import { createAlert } from '#shared/alerts/admin-contract.ts';
import { createBlock } from '#shared/blocks/contract.ts';
import { messageId } from '#shared/chat/document.ts';
import { uploadDogImage } from '#shared/dogs/contract.ts';
import { getFriendLink } from '#shared/friend-links/contract.ts';
import { deleteFriend, createFriendRequest } from '#shared/friends/contract.ts';
import { createHazard } from '#shared/hazards/contract.ts';
import type { HazardKind } from '#shared/hazards/rules.ts';
import { createInvitation } from '#shared/invitations/contract.ts';
import { createTip, createVisit } from '#shared/locations/contract.ts';
import { uploadLocationPhoto } from '#shared/locations/photo-contract.ts';
import { issueWarning } from '#shared/moderation/admin-contract.ts';
import { reportMessage } from '#shared/moderation/contract.ts';
import { createGuideline, createRule } from '#shared/moderation/rules-contract.ts';
import { createPlannedWalk } from '#shared/planned-walks/contract.ts';
import { listSessions } from '#shared/session/devices-contract.ts';
import { createSound, uploadSound } from '#shared/sounds/contract.ts';
import { makeAd } from '../ads/made-ads.ts';
import {
  inHours,
  makeLocalAd,
  makeTimedAd,
  signUp,
  type Advertiser,
} from '../advertisers/sign-up.ts';
import type { TestApi, TestPerson } from '../api.ts';
import { apply } from '../charities/made-charities.ts';
import { say, createMember, threadsOf } from '../chat/talk.ts';
import { makeCode, makeDog } from '../factories.ts';
import { befriend } from '../friends/befriend.ts';
import { makePlace } from '../locations/made-places.ts';
import { donate, type Payer } from '../payments/pay.ts';
import { toneFile } from '../sounds/tone.ts';

/** The roles that try to access the owner's resources. */
export const ROLES = [
  'visitor',
  'withoutAccess',
  'stranger',
  'formerFriend',
  'blocked',
  'otherAdvertiser',
  'admin',
] as const;
export type Role = (typeof ROLES)[number];

export type World = Awaited<ReturnType<typeof makeWorld>>;

const HERE = { latitude: 40.78, longitude: -73.97 };
const PIXEL = { width: 8, height: 8, channels: 3 as const, background: '#a05' };

/** Returns an image that the API accepts. */
export const picture = async (): Promise<Blob> =>
  new Blob([await sharp({ create: PIXEL }).png().toBuffer()]);

/** Returns a recording that the API accepts. */
export const recording = (): Blob =>
  new Blob([Buffer.from('OggS\0\x02'.padEnd(28, '\0') + 'OpusHead')]);

/** Creates an owner with one resource of each kind, and a user for each role. */
export async function makeWorld(api: TestApi) {
  const admin = await api.asAdmin();
  const owner = await createMember(api, 'Owner');
  const friend = await createMember(api, 'Friend');
  const stranger = await createMember(api, 'Stranger');
  const formerFriend = await createMember(api, 'Former');
  const blocked = await createMember(api, 'Blocked');
  const alsoBlocked = await createMember(api, 'Second');
  const asking = await createMember(api, 'Asking');
  const withoutAccess = await api.as('without-access@example.com', { access: false });

  for (const person of [friend, formerFriend, blocked]) {
    await befriend(owner, person);
    await say(owner, person, 'See you at the park.');
  }
  const message = await say(friend, owner, 'I will be late.');
  const ownMessage = await say(owner, friend, 'So will I.');
  const editedMessage = await say(owner, friend, 'See you.');
  const thread = (await threadsOf(api, owner)).find(
    ({ friend_user_id }) => friend_user_id === friend.user.id,
  );
  const mine = thread?.segments[0]?.mine ?? '';
  const sent = { seq: 9, device: 'phone', at: new Date().toISOString() };
  await api.change(mine, 'message.add', {
    ...sent,
    key: 'photo',
    text: 'Photo',
    photo: { width: 4, height: 3 },
  });
  await api.change(mine, 'message.add', {
    ...sent,
    key: 'voice',
    text: 'Voice note',
    voice: { seconds: 3 },
  });
  // Invited are also those who are about to lose the friendship.
  const planWalk = async () => {
    const walk = { id: randomUUID(), starts_at: inHours(10) };
    const participant_ids = [friend, formerFriend, blocked].map(({ user }) => user.id);
    await owner.call(createPlannedWalk, {
      body: { ...walk, place_name: 'Green', participant_ids },
    });
    return walk;
  };
  const [plannedWalk, answeredWalk] = [await planWalk(), await planWalk()];
  await owner.call(deleteFriend, { params: { friendUserId: formerFriend.user.id } });
  for (const { user } of [blocked, alsoBlocked])
    await owner.call(createBlock, { body: { blocked_user_id: user.id } });
  const { friend_request } = await asking.call(createFriendRequest, {
    body: { receiver_user_id: owner.user.id },
  });

  const invited = async ({ call }: TestPerson) =>
    (await call(createInvitation, { body: { invited_email: 'invited@example.com' } })).invitation
      .id;

  await api.as(owner.user.email);
  const { sessions } = await owner.call(listSessions);
  const session = sessions.find(({ is_current }) => !is_current)!.id;

  const dog = await makeDog(owner);
  const otherDog = await makeDog(owner, { name: 'Bo' });
  const withPicture = await owner.call(uploadDogImage, {
    params: { id: dog.id },
    file: await picture(),
  });
  const { sound } = await owner.call(createSound, {
    body: { name: 'Whistle', sound_type: 'leash_on' },
  });
  const recorded = await owner.call(uploadSound, { params: { id: sound.id }, file: toneFile(1) });

  const publicPlace = await makePlace(owner, { name: 'Green', ...HERE });
  const privatePlace = await makePlace(owner, {
    name: 'Back Yard',
    is_public: false,
    confirm_new: true,
    ...HERE,
  });
  const { visit } = await owner.call(createVisit, { body: { location_id: publicPlace.id } });
  const { photo } = await owner.call(uploadLocationPhoto, {
    params: { id: publicPlace.id },
    file: await picture(),
  });
  const hazardOf = async (kind: HazardKind) =>
    (await owner.call(createHazard, { body: { kind, ...HERE } })).hazard.id;
  const hazard = await hazardOf('glass');
  const reportedHazard = await hazardOf('heat');
  const tipOf = async (location_id: string, is_public: boolean) =>
    (
      await owner.call(createTip, {
        body: { location_id, title: 'Oaks', content: 'S.', is_public },
      })
    ).tip;
  const publicTip = await tipOf(publicPlace.id, true);
  const privateTip = await tipOf(publicPlace.id, false);
  const tipOfPrivatePlace = await tipOf(privatePlace.id, true);

  const { warning } = await admin.call(issueWarning, {
    body: { user_id: owner.user.id, warning_type: 'warning', severity: 'minor', reason: 'Caps.' },
  });
  const { report } = await owner.call(reportMessage, {
    body: {
      reported_user_id: friend.user.id,
      message_id: message.id,
      report_type: 'other',
      description: 'He is always late for our walks.',
    },
  });
  const { invitation } = await owner.call(createInvitation, {
    body: { invited_email: 'invited@example.com' },
  });
  const donation = await donate(owner);

  const advertiser = await signUp(api);
  const timedAd = await makeTimedAd(advertiser);
  const localAd = await makeLocalAd(advertiser);
  const otherAdvertiser = await signUp(api);

  const houseAd = await makeAd(admin);
  const hiddenCharity = await apply(api.call);
  const now = Date.now();
  const { alert } = await admin.call(createAlert, {
    body: {
      alert_type: 'other',
      severity: 'minor',
      title: 'Fireworks',
      description: 'Keep dogs inside.',
      affected_latitude: HERE.latitude,
      affected_longitude: HERE.longitude,
      radius_miles: 5,
      starts_at: new Date(now).toISOString(),
      expires_at: new Date(now + 3_600_000).toISOString(),
    },
  });
  const { rule } = await admin.call(createRule, {
    body: {
      rule_type: 'word',
      rule_name: 'Fruit',
      rule_pattern: 'rotten banana',
      severity: 'low',
      action: 'flag',
    },
  });
  const { guideline } = await admin.call(createGuideline, {
    body: {
      guideline_category: 'no_harassment',
      title: 'No chain letters',
      description: 'They annoy.',
      examples: [],
      consequences: 'A warning.',
      is_active: true,
    },
  });
  const body = { kind: 'reason', name: 'Leash', text: 'Keep it short.' } as const;
  const { saved } = await admin.call(save, { body });
  const code = await makeCode(admin);
  const logEntry = 'a-log-entry';
  await api.db.collection<{ _id: string }>('moderation_log').insertOne({
    _id: logEntry,
    user_id: owner.user.id,
    created_at: new Date(),
  } as { _id: string });

  const people: Record<Role, Payer> = {
    visitor: api.visitor(),
    withoutAccess,
    stranger,
    formerFriend,
    blocked,
    otherAdvertiser,
    admin,
  };
  const owners = { owner, friend, advertiser } satisfies Record<string, TestPerson | Advertiser>;
  return {
    api,
    people,
    owners,
    ids: {
      owner: owner.user.id,
      friend: friend.user.id,
      stranger: stranger.user.id,
      message: message.id,
      ownMessage: ownMessage.id,
      editedMessage: editedMessage.id,
      photoMessage: messageId(mine, 'photo'),
      voiceMessage: messageId(mine, 'voice'),
      request: friend_request.id,
      friendLink: (await owner.call(getFriendLink)).friend_link.token,
      sentInvitation: await invited(owner),
      otherInvitation: await invited(owner),
      requester: asking.user.id,
      alsoBlocked: alsoBlocked.user.id,
      dog: dog.id,
      otherDog: otherDog.id,
      picture: withPicture.dog.image_key ?? '',
      session,
      sound: sound.id,
      recording: recorded.sound.image_key ?? '',
      hazard,
      reportedHazard,
      plannedWalk,
      answeredWalk,
      publicPlace: publicPlace.id,
      privatePlace: privatePlace.id,
      publicTip: publicTip.id,
      privateTip: privateTip.id,
      tipOfPrivatePlace: tipOfPrivatePlace.id,
      visit: visit.id,
      photo: photo.id,
      warning: warning.id,
      report: report.id,
      invitation: invitation.invitation_code,
      donation,
      advertiser: advertiser.id,
      otherAdvertiser: otherAdvertiser.id,
      timedAd,
      localAd,
      houseAd: houseAd.id,
      hiddenCharity,
      alert: alert.id,
      rule: rule.id,
      guideline: guideline.id,
      saved: saved.id,
      code: code.id,
      logEntry,
    },
  };
}
