import { clickAd, clickPaidAd } from '#shared/ads/contract.ts';
import { acknowledgeAlert } from '#shared/alerts/contract.ts';
import { createBlock, deleteBlock } from '#shared/blocks/contract.ts';
import { createCharityDonation } from '#shared/charities/contract.ts';
import { editMessage, unsendMessage } from '#shared/chat/contract.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import {
  createFriendRequest,
  deleteFriend,
  respondToFriendRequest,
  withdrawFriendRequest,
} from '#shared/friends/contract.ts';
import {
  createHazard,
  deleteHazard,
  reportHazard,
  voteOnHazard,
} from '#shared/hazards/contract.ts';
import {
  createLocation,
  createTip,
  createVisit,
  deleteLocation,
  deleteTip,
  reportProblem,
  updateLocation,
  updateTip,
  voteForTip,
} from '#shared/locations/contract.ts';
import { deleteLocationPhoto } from '#shared/locations/photo-contract.ts';
import {
  deleteVisit,
  rateLocation,
  undoVisit,
  updateVisit,
  withdrawRating,
} from '#shared/locations/visit-contract.ts';
import { acknowledgeWarning, reportContent, reportMessage } from '#shared/moderation/contract.ts';
import {
  answerPlannedWalk,
  cancelPlannedWalk,
  createPlannedWalk,
  updatePlannedWalk,
} from '#shared/planned-walks/contract.ts';
import { readActivity } from '#shared/push/contract.ts';
import { deleteSound } from '#shared/sounds/contract.ts';
import type { Input } from '../../http/api-client.ts';

/** The calls that may wait in the outbox, by the names under which devices store them. */
export const CALLS = {
  'activity.read': readActivity,
  'ads.click': clickAd,
  'ads.clickPaid': clickPaidAd,
  'alerts.acknowledge': acknowledgeAlert,
  'blocks.create': createBlock,
  'blocks.delete': deleteBlock,
  'charities.donate': createCharityDonation,
  'friends.request': createFriendRequest,
  'friends.respond': respondToFriendRequest,
  'friends.withdraw': withdrawFriendRequest,
  'friends.remove': deleteFriend,
  'hazards.create': createHazard,
  'hazards.remove': deleteHazard,
  'hazards.report': reportHazard,
  'hazards.vote': voteOnHazard,
  'reports.content': reportContent,
  'reports.create': reportMessage,
  'messages.edit': editMessage,
  'messages.unsend': unsendMessage,
  'locations.addTip': createTip,
  'locations.create': createLocation,
  'locations.editVisit': updateVisit,
  'locations.rate': rateLocation,
  'locations.removeVisit': deleteVisit,
  'locations.editTip': updateTip,
  'locations.remove': deleteLocation,
  'locations.removePhoto': deleteLocationPhoto,
  'locations.removeTip': deleteTip,
  'locations.report': reportProblem,
  'locations.undoVisit': undoVisit,
  'locations.update': updateLocation,
  'locations.visit': createVisit,
  'locations.voteForTip': voteForTip,
  'locations.withdrawRating': withdrawRating,
  'plannedWalks.answer': answerPlannedWalk,
  'plannedWalks.cancel': cancelPlannedWalk,
  'plannedWalks.create': createPlannedWalk,
  'plannedWalks.update': updatePlannedWalk,
  'sounds.delete': deleteSound,
  'warnings.acknowledge': acknowledgeWarning,
} satisfies Record<string, Endpoint>;

export type CallName = keyof typeof CALLS;

/** The input of a call without the fields that the outbox adds. */
export type CallInput<N extends CallName> =
  (typeof CALLS)[N] extends Endpoint<infer P, infer Q, infer B>
    ? Omit<Input<P, Q, B>, 'file' | 'signal' | 'idempotencyKey' | 'headers'>
    : never;
