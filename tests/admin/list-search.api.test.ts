import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { listCodes } from '#shared/access-gate/admin-contract.ts';
import { auditLog } from '#shared/admin/contract.ts';
import { createAdvertisement, listAdvertisements } from '#shared/ads/admin-contract.ts';
import {
  advertiserAnalytics,
  listAdPayments,
  listAdvertiserAds,
  listBusinessListings,
} from '#shared/advertisers/admin-contract.ts';
import { createAlert, listAdminAlerts } from '#shared/alerts/admin-contract.ts';
import { listAllCharities } from '#shared/charities/admin-contract.ts';
import { listAdminHazards } from '#shared/hazards/admin-contract.ts';
import { createHazard } from '#shared/hazards/contract.ts';
import { listAdminLocations } from '#shared/locations/admin-contract.ts';
import { issueWarning, listAllWarnings, listReports } from '#shared/moderation/admin-contract.ts';
import { reportContent } from '#shared/moderation/contract.ts';
import { findPeople } from '#shared/moderation/people-contract.ts';
import { listLog } from '#shared/moderation/rules-contract.ts';
import {
  company,
  freshEmail,
  inHours,
  makeLocalAd,
  makeTimedAd,
  pay,
  signUp,
} from '../advertisers/sign-up.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { apply } from '../charities/made-charities.ts';
import { makeCode, makeProfile } from '../factories.ts';
import { makePlace } from '../locations/made-places.ts';

let api: TestApi;
let admin: TestPerson;
let ann: TestPerson;
let wolf: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
  ann = await api.as('ann@example.com');
  wolf = await api.as('wolf@example.com');
  await makeProfile(ann, { display_name: 'Ann' });
  await makeProfile(wolf, { display_name: 'Wolfgang' });
  const sanction = { warning_type: 'warning', severity: 'minor', reason: 'Be kind.' } as const;
  for (const { user } of [ann, wolf])
    await admin.call(issueWarning, { body: { user_id: user.id, ...sanction } });
  await ann.call(reportContent, {
    body: {
      subject_type: 'person',
      reported_user_id: wolf.user.id,
      report_type: 'harassment',
      description: 'He shouts at everybody.',
    },
  });
});
afterAll(() => api.close());

test('finds reports, warnings and log entries by a person’s name, email address or id', async () => {
  for (const search of ['wolfg', 'wolf@ex', wolf.user.id]) {
    const query = { search };
    const { warnings, total } = await admin.call(listAllWarnings, { query });
    expect({ total, ids: warnings.map(({ user }) => user.user_id) }).toEqual({
      total: 1,
      ids: [wolf.user.id],
    });
    expect((await admin.call(listReports, { query })).total).toBe(1);
    const { entries } = await admin.call(listLog, { query });
    expect(new Set(entries.map(({ user }) => user.user_id))).toEqual(new Set([wolf.user.id]));
  }
  // The reporter is found, too.
  expect((await admin.call(listReports, { query: { search: 'ann' } })).total).toBe(1);
  const nobody = { query: { search: 'nobody' } };
  expect((await admin.call(listReports, nobody)).reports).toEqual([]);
  expect((await admin.call(listAllWarnings, nobody)).warnings).toEqual([]);
  expect((await admin.call(listLog, nobody)).entries).toEqual([]);
});

test('finds audit log entries by the subject’s id, or by a person’s email address', async () => {
  const { warnings } = await admin.call(listAllWarnings, { query: { search: 'wolf' } });
  const id = warnings[0]?.id ?? '';
  const byId = await admin.call(auditLog, { query: { search: id } });
  expect(byId.entries).toMatchObject([{ act: 'warning.issue', subject_id: id }]);
  expect((await admin.call(auditLog, { query: { search: 'nobody' } })).entries).toEqual([]);
});

test('finds ads and payments by the advertiser or the payment ID', async () => {
  const [mine, other] = [freshEmail(), freshEmail()];
  const advertiser = await signUp(api, { ...company, email: mine });
  const stranger = await signUp(api, { ...company, email: other });
  const ad = await makeTimedAd(advertiser);
  await makeLocalAd(advertiser);
  await makeLocalAd(stranger);
  await pay(api, advertiser, ad);
  const query = { search: mine };
  expect((await admin.call(listAdvertiserAds, { query })).ads).toMatchObject([{ id: ad }]);
  expect((await admin.call(listBusinessListings, { query })).total).toBe(1);
  const { payments } = await admin.call(listAdPayments, { query });
  expect(payments).toHaveLength(1);
  const byPayment = { search: payments[0]?.payment_id ?? '' };
  expect((await admin.call(listAdPayments, { query: byPayment })).payments).toEqual(payments);
  expect((await admin.call(listAdPayments, { query: { search: other } })).payments).toEqual([]);
});

test('every list finds words whatever their accents, encoding and case', async () => {
  const NAME = 'Café İstanbul Łódź';
  const here = { latitude: 41, longitude: 29 };
  await makeProfile(wolf, { display_name: NAME });
  await makeCode(admin, { description: NAME });
  const target_url = 'https://shop.example/';
  await admin.call(createAdvertisement, { body: { title: NAME, target_url } });
  await admin.call(createAlert, {
    body: {
      alert_type: 'other',
      severity: 'minor',
      title: NAME,
      description: 'None',
      affected_latitude: here.latitude,
      affected_longitude: here.longitude,
      radius_miles: 1,
    },
  });
  await apply(ann.call, { charity_name: NAME });
  await makePlace(ann, { ...here, name: NAME });
  await ann.call(createHazard, { body: { kind: 'glass', description: NAME, ...here } });
  const advertiser = await signUp(api, { ...company, company_name: NAME });
  const later = { scheduled_start_at: inHours(24 * 9) };
  await pay(api, advertiser, await makeTimedAd(advertiser, later));
  await makeLocalAd(advertiser);
  const lists = [
    listCodes,
    listAdvertisements,
    listAdminAlerts,
    listAllCharities,
    listAdminLocations,
    listAdminHazards,
    advertiserAnalytics,
    listAdvertiserAds,
    listBusinessListings,
    listAdPayments,
    findPeople,
    listReports,
    listAllWarnings,
    listLog,
  ] as const;
  for (const list of lists)
    for (const search of ['cafe', 'CAFÉ', 'cafe\u0301', 'istanbul', 'İSTANBUL', 'lodz', 'ｃａｆｅ'])
      // Names are searched in what the sync server projects.
      await expect
        .poll(async () => {
          const { total } = await admin.call(list as typeof listCodes, { query: { search } });
          return [list.path, search, total > 0];
        })
        .toEqual([list.path, search, true]);
});
