import { expect, test } from 'vitest';
import { z } from 'zod';
import '#shared/zod-messages.ts';
import * as codes from '#shared/access-gate/admin-contract.ts';
import * as ads from '#shared/ads/admin-contract.ts';
import {
  advertiserAnalytics,
  putBackAd,
  refundAd,
  takeDownAd,
} from '#shared/advertisers/admin-contract.ts';
import * as advertisers from '#shared/advertisers/contract.ts';
import * as alerts from '#shared/alerts/admin-contract.ts';
import * as ownAlerts from '#shared/alerts/contract.ts';
import * as blocks from '#shared/blocks/contract.ts';
import { deleteCharity, updateCharity } from '#shared/charities/admin-contract.ts';
import * as charities from '#shared/charities/contract.ts';
import * as chat from '#shared/chat/contract.ts';
import { fieldsOf } from '#shared/endpoint.ts';
import * as friends from '#shared/friends/contract.ts';
import * as invitations from '#shared/invitations/contract.ts';
import * as locations from '#shared/locations/contract.ts';
import { reportMessage } from '#shared/moderation/contract.ts';
import { donationStats } from '#shared/payments/admin-contract.ts';
import { googlePayConfig } from '#shared/payments/contract.ts';
import { caller } from '../../client/platform/http/api-client.ts';

/** The text that users see when the server sent none. */
const CALLS = [
  [ads.listAdvertisements, 'Failed to fetch advertisements'],
  [ads.createAdvertisement, 'Failed to create advertisement'],
  [ads.updateAdvertisement, 'Failed to update advertisement'],
  [ads.deleteAdvertisement, 'Failed to delete advertisement'],
  [codes.listCodes, 'Failed to fetch access codes'],
  [codes.createCode, 'Failed to create access code'],
  [codes.updateCode, 'Failed to update access code'],
  [codes.deleteCode, 'Failed to delete access code'],
  [donationStats, 'Failed to load donation data'],
  [googlePayConfig, 'Failed to load payment configuration'],
  [alerts.listAdminAlerts, 'Unable to load emergency alerts'],
  [alerts.createAlert, 'Failed to create alert'],
  [alerts.deactivateAlert, 'Failed to deactivate alert'],
  [ownAlerts.acknowledgeAlert, 'Failed to acknowledge alert'],
  [advertiserAnalytics, 'Failed to fetch advertiser analytics'],
  [advertisers.createAdvertiser, 'Failed to create advertiser account'],
  [advertisers.createTimedAd, 'Failed to create advertisement'],
  [advertisers.createLocationAd, 'Failed to create location-based advertisement'],
  [advertisers.payForAd, 'Payment processing failed'],
  [charities.listCharities, 'Failed to load charities'],
  [charities.createCharity, 'Failed to submit charity suggestion'],
  [updateCharity, 'Failed to update charity status'],
  [deleteCharity, 'Failed to delete charity'],
  [locations.searchLocations, 'Failed to search locations'],
  [locations.createLocation, 'Failed to create location'],
  [locations.createTip, 'Failed to create tip'],
  [friends.listFriendRequests, 'Failed to fetch friend requests'],
  [friends.createFriendRequest, 'Failed to send friend request'],
  [friends.listFriends, 'Failed to fetch friends'],
  [friends.deleteFriend, 'Failed to remove friend'],
  [blocks.listBlocks, 'Failed to fetch blocked users'],
  [blocks.createBlock, 'Failed to block user'],
  [blocks.deleteBlock, 'Failed to unblock user'],
  [invitations.searchUsers, 'Search failed'],
  [invitations.listInvitations, 'Failed to fetch invitations'],
  [invitations.createInvitation, 'Failed to create invitation'],
  [chat.listConversations, 'Failed to fetch conversations'],
  [chat.listMessages, 'Failed to fetch messages'],
  [chat.sendMessage, 'Failed to send message'],
  [reportMessage, 'Failed to submit report'],
  [takeDownAd, 'Failed to take down advertisement'],
  [putBackAd, 'Failed to restore advertisement'],
  [refundAd, 'Failed to refund advertisement'],
] as const;

/** Values for any path parameter. */
const ANY = { id: 'x', friendUserId: 'x', blockedUserId: 'x' };

const answering = (body: BodyInit | null) =>
  caller({ fetch: async () => new Response(body, { status: 500 }) }) as (
    endpoint: unknown,
    input: object,
  ) => Promise<unknown>;

test.each(CALLS)(
  'without a text of the server, $path fails with the specified text',
  async (endpoint, words) => {
    await expect(answering('')(endpoint, { params: ANY })).rejects.toThrow(words);
  },
);

test('a switch has its own failure text, and the text of the server takes precedence', async () => {
  const status = 'Failed to update advertisement status';
  expect([ads.AD_STATUS_FAILURE, codes.CODE_STATUS_FAILURE]).toEqual([
    status,
    'Failed to update access code status',
  ]);
  const input = { params: { id: 'x' }, body: { active: true }, failure: ads.AD_STATUS_FAILURE };
  await expect(answering('')(ads.updateAdvertisement, input)).rejects.toThrow(status);
  const specific = JSON.stringify({ error: 'The server’s own words', code: 'internal' });
  await expect(answering(specific)(ads.updateAdvertisement, input)).rejects.toThrow(
    'The server’s own words',
  );
  const general = JSON.stringify({ error: ads.updateAdvertisement.failure, code: 'internal' });
  await expect(answering(general)(ads.updateAdvertisement, input)).rejects.toThrow(status);
});

test('fields without their own message get the default messages', () => {
  const schema = z.object({
    missing: z.string(),
    email: z.email(),
    url: z.url(),
    number: z.number(),
  });
  const wrong = schema.safeParse({ email: 'a', url: 'b', number: 'c' });
  expect(fieldsOf(wrong.error)).toEqual({
    missing: 'Required',
    email: 'Invalid email',
    url: 'Invalid url',
    number: 'Invalid input',
  });
});
