import { expect, test } from 'vitest';
import * as codes from '#shared/access-gate/admin-contract.ts';
import * as ads from '#shared/ads/admin-contract.ts';
import * as alerts from '#shared/alerts/admin-contract.ts';
import { donationStats } from '#shared/payments/admin-contract.ts';
import { googlePayConfig } from '#shared/payments/contract.ts';
import { caller } from '../../client/call.ts';

/** What a person reads when the server gave no words of its own. */
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
] as const;

const answering = (body: BodyInit | null) =>
  caller({ fetch: async () => new Response(body, { status: 500 }) }) as (
    endpoint: unknown,
    input: object,
  ) => Promise<unknown>;

test.each(CALLS)('without words of the server, $path says: %s', async (endpoint, words) => {
  await expect(answering('')(endpoint, { params: { id: 'x' } })).rejects.toThrow(words);
});

test('a switch has words of its own; what the server says comes first', async () => {
  const status = 'Failed to update advertisement status';
  expect([ads.AD_STATUS_FAILURE, codes.CODE_STATUS_FAILURE]).toEqual([
    status,
    'Failed to update access code status',
  ]);
  const input = { params: { id: 'x' }, body: { active: true }, failure: ads.AD_STATUS_FAILURE };
  await expect(answering('')(ads.updateAdvertisement, input)).rejects.toThrow(status);
  const said = JSON.stringify({ error: 'The server’s own words', code: 'internal' });
  await expect(answering(said)(ads.updateAdvertisement, input)).rejects.toThrow(
    'The server’s own words',
  );
});
