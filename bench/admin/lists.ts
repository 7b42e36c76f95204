import { listCodes } from '#shared/access-gate/admin-contract.ts';
import { auditLog } from '#shared/admin/contract.ts';
import {
  advertiserAnalytics,
  listAdPayments,
  listAdvertiserAds,
  listBusinessListings,
} from '#shared/advertisers/admin-contract.ts';
import { listAllCharities } from '#shared/charities/admin-contract.ts';
import { listAdminLocations } from '#shared/locations/admin-contract.ts';
import { donationStats } from '#shared/payments/admin-contract.ts';
import type { Call } from '../../tests/api.ts';
import {
  accessCode,
  adPayment,
  advertiser,
  audited,
  charity,
  codeOf,
  donation,
  idOf,
  listing,
  place,
  timedAd,
  timeOf,
} from './rows.ts';

/** One of the lists, with rows to fill it and ways to ask for it. */
interface List {
  name: string;
  collection: string;
  row: (index: number) => { _id: string | number };
  /** @param size how many rows there are */
  asks: Record<string, (call: Call, size: number) => Promise<unknown>>;
}

/** The cursor of a page in the middle of the list. */
const middle = (sort: string, size: number, value: unknown = { ms: timeOf(size / 2).getTime() }) =>
  Buffer.from(JSON.stringify([sort, 'next', value, idOf(size / 2)])).toString('base64url');

/** An ask for each status of a list. */
const ofEach = <Status extends string>(
  statuses: readonly Status[],
  ask: (status: Status) => List['asks'][string],
): List['asks'] =>
  Object.fromEntries(
    statuses.map((status) => [`those ${status === 'unpaid' ? 'not paid' : status}`, ask(status)]),
  );

export const LISTS: readonly List[] = [
  {
    name: 'access codes',
    collection: 'access_codes',
    row: accessCode,
    asks: {
      'the first page': (call) => call(listCodes),
      'a page in the middle': (call, size) =>
        call(listCodes, { query: { cursor: middle('newest', size) } }),
      'a page in the middle, by code': (call, size) =>
        call(listCodes, {
          query: { sort: 'code', cursor: middle('code', size, codeOf(size / 2)) },
        }),
      'those switched off': (call) => call(listCodes, { query: { status: 'inactive' } }),
      'search for one': (call) => call(listCodes, { query: { search: codeOf(500) } }),
      'search for what a fifth has': (call) => call(listCodes, { query: { search: 'denver' } }),
    },
  },
  {
    name: 'donations',
    collection: 'donations',
    row: donation,
    asks: {
      'the first page, figures remembered': (call) => call(donationStats),
      'a page in the middle': (call, size) =>
        call(donationStats, { query: { cursor: middle('newest', size) } }),
      'those that failed': (call) => call(donationStats, { query: { status: 'failed' } }),
      'search by email': (call) => call(donationStats, { query: { search: 'owner77@' } }),
    },
  },
  {
    name: 'charities',
    collection: 'charities',
    row: charity,
    asks: {
      'the first page': (call) => call(listAllCharities),
      'a page in the middle': (call, size) =>
        call(listAllCharities, { query: { cursor: middle('newest', size) } }),
      'those not verified': (call) =>
        call(listAllCharities, { query: { verification: 'pending' } }),
      'search for what a fifth has': (call) =>
        call(listAllCharities, { query: { search: 'denver' } }),
    },
  },
  {
    name: 'places',
    collection: 'locations',
    row: place,
    asks: {
      'the first page': (call) => call(listAdminLocations),
      'a page in the middle': (call, size) =>
        call(listAdminLocations, { query: { cursor: middle('newest', size) } }),
      'those reported': (call) => call(listAdminLocations, { query: { status: 'reported' } }),
      'those hidden': (call) => call(listAdminLocations, { query: { status: 'hidden' } }),
      'those merged, of which there are none': (call) =>
        call(listAdminLocations, { query: { status: 'merged' } }),
      'search for what a fifth has': (call) =>
        call(listAdminLocations, { query: { search: 'denver' } }),
    },
  },
  {
    name: 'advertisers',
    collection: 'advertisers',
    row: advertiser,
    asks: {
      'the first page, figures remembered': (call) => call(advertiserAnalytics),
      'a page in the middle': (call, size) =>
        call(advertiserAnalytics, { query: { cursor: middle('newest', size) } }),
      'by company': (call) => call(advertiserAnalytics, { query: { sort: 'company' } }),
      'search for one': (call) => call(advertiserAnalytics, { query: { search: '00000500' } }),
      'search for what a fifth has': (call) =>
        call(advertiserAnalytics, { query: { search: 'denver' } }),
    },
  },
  {
    name: 'payments for ads',
    collection: 'ad_payments',
    row: adPayment,
    asks: {
      'the first page': (call) => call(listAdPayments),
      'a page in the middle': (call, size) =>
        call(listAdPayments, { query: { cursor: middle('newest', size) } }),
      'those that failed': (call) => call(listAdPayments, { query: { status: 'failed' } }),
    },
  },
  {
    name: 'timed ads',
    collection: 'advertisement_bookings',
    row: timedAd,
    asks: {
      'the first page': (call) => call(listAdvertiserAds),
      ...ofEach(
        ['scheduled', 'active', 'completed', 'cancelled', 'unpaid'] as const,
        (status) => (call) => call(listAdvertiserAds, { query: { status } }),
      ),
    },
  },
  {
    name: 'listings',
    collection: 'business_listings',
    row: listing,
    asks: {
      'the first page': (call) => call(listBusinessListings),
      'a page in the middle': (call, size) =>
        call(listBusinessListings, { query: { cursor: middle('newest', size) } }),
      ...ofEach(
        ['active', 'paused', 'expired', 'cancelled', 'unpaid'] as const,
        (status) => (call) => call(listBusinessListings, { query: { status } }),
      ),
    },
  },
  {
    name: 'audit log',
    collection: 'audit_log',
    row: audited,
    asks: {
      'the first page': (call) => call(auditLog),
      'a page in the middle': (call, size) =>
        call(auditLog, { query: { cursor: middle('newest', size) } }),
      'of one kind': (call) => call(auditLog, { query: { subject_kind: 'advertisement' } }),
      'of one subject': (call) => call(auditLog, { query: { subject_id: idOf(7) } }),
    },
  },
];
