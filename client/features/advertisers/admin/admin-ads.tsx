import { useSearchParams } from 'react-router-dom';
import type { Paged } from '#shared/admin/paging.ts';
import {
  listAdvertiserAds,
  listBusinessListings,
  type AdminListing,
  type AdminTimedAd,
} from '#shared/advertisers/admin-contract.ts';
import { BUSINESS_TYPE_NAMES } from '#shared/advertisers/business-types.ts';
import { formatDateTimeInZone, formatHours } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';
import { DataTable } from '../../../platform/admin/list/data-table.tsx';
import { control, order } from '../../../platform/admin/list/list-filters.ts';
import { RowAction } from '../../../platform/admin/list/row-action.tsx';
import { useAdminList, type AdminList } from '../../../platform/admin/list/use-admin-list.ts';
import { useDialogParam } from '../../../platform/ui/dialogs/use-dialog-param.ts';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { PLACEMENT_NAMES } from '../../ads/placement-labels.ts';
import { StatusPill } from '../status-pill.tsx';
import { LISTING_ACTS, nameOf, TIMED_ACTS } from './admin-actions.ts';
import { PaidAdModal } from './paid-ad-modal.tsx';
import { DownActions, TakeDownModal } from './take-down.tsx';

const KIND = control('kind', 'Kind', 'Timed ads', { local: 'Location-based ads' });

/** The admin lists of paid ads. */
export function AdminAds() {
  const [search] = useSearchParams();
  const isLocal = search.get('kind') === 'local';
  return (
    <Card title={isLocal ? 'Location-based ads' : 'Timed ads'}>
      {isLocal ? <Listings /> : <TimedAds />}
    </Card>
  );
}

/** Adds the choice between the two lists to the filters of one. */
const withKind = <Answer extends Paged>(
  { address, controls, ...list }: AdminList<Answer>,
  kind: string,
): AdminList<Answer> => ({
  ...list,
  address: { ...address, query: { ...address.query, kind } },
  controls: [KIND, ...controls],
});

const TIMED_ADS = {
  key: 'advertiser-ads',
  from: listAdvertiserAds,
  search: 'Search by company, contact or email',
  controls: [
    control('status', 'Status', 'All', {
      scheduled: 'Scheduled',
      active: 'Active',
      completed: 'Completed',
      cancelled: 'Cancelled',
      unpaid: 'Not paid',
    }),
    order({ oldest: 'Oldest first', start: 'By start' }),
  ],
} as const;

function TimedAds() {
  const list = withKind(useAdminList(TIMED_ADS), '');
  return (
    <>
      <DataTable
        label="Timed ads"
        list={list}
        rowsOf={({ ads }) => ads}
        nameOf={({ title }) => title}
        empty="No advertisements found"
        noMatch="No advertisements match your filters"
        columns={[
          {
            name: 'Title',
            cell: ({ title, company_name }) => <Title title={title} company={company_name} />,
          },
          { name: 'Status', isState: true, cell: (ad) => <Status ad={ad} /> },
          { name: 'Placement', cell: ({ placement }) => PLACEMENT_NAMES[placement] },
          {
            name: 'Runs',
            cell: (ad) =>
              `${formatDateTimeInZone(ad.scheduled_start_at)}, ${formatHours(ad.duration_hours)}`,
          },
          { name: 'Cost', cell: ({ cost_cents }) => dollars(cost_cents), isFigure: true },
          { name: 'Views', cell: ({ impressions }) => impressions, isFigure: true },
          { name: 'Clicks', cell: ({ clicks }) => clicks, isFigure: true },
        ]}
        actions={(ad) => <AdActions ad={ad} />}
        bulk={TIMED_ACTS}
      />
      <TakeDownModal ads={list.asked.data?.ads} />
      <PaidAdModal isListing={false} />
    </>
  );
}

const LISTINGS = {
  key: 'business-listings',
  from: listBusinessListings,
  search: 'Search by company, contact or email',
  controls: [
    control('status', 'Status', 'All', {
      active: 'Active',
      paused: 'Paused',
      expired: 'Expired',
      cancelled: 'Cancelled',
      unpaid: 'Not paid',
    }),
    order({ oldest: 'Oldest first' }),
  ],
} as const;

function Listings() {
  const list = withKind(useAdminList(LISTINGS), 'local');
  return (
    <>
      <DataTable
        label="Location-based ads"
        list={list}
        rowsOf={({ listings }) => listings}
        nameOf={({ business_name }) => business_name}
        empty="No advertisements found"
        noMatch="No advertisements match your filters"
        columns={[
          {
            name: 'Business',
            cell: ({ business_name, company_name }) => (
              <Title title={business_name} company={company_name} />
            ),
          },
          { name: 'Status', isState: true, cell: (ad) => <Status ad={ad} /> },
          { name: 'Type', cell: ({ business_type }) => BUSINESS_TYPE_NAMES[business_type] },
          {
            name: 'Paid until',
            cell: ({ subscription_end_date }) =>
              subscription_end_date ? <Time at={subscription_end_date} /> : 'Never paid',
          },
          { name: 'Paid', cell: ({ spent_cents }) => dollars(spent_cents), isFigure: true },
          { name: 'Views', cell: ({ impressions }) => impressions, isFigure: true },
          { name: 'Clicks', cell: ({ clicks }) => clicks, isFigure: true },
        ]}
        actions={(ad) => <AdActions ad={ad} />}
        bulk={LISTING_ACTS}
      />
      <TakeDownModal ads={list.asked.data?.listings} />
      <PaidAdModal isListing />
    </>
  );
}

function AdActions({ ad }: { ad: AdminTimedAd | AdminListing }) {
  const { open } = useDialogParam();
  return (
    <>
      <RowAction word="Edit" about={nameOf(ad)} onClick={() => open('edit-ad', String(ad.id))} />
      <DownActions ad={ad} />
    </>
  );
}

function Status({ ad }: { ad: AdminTimedAd | AdminListing }) {
  return (
    <>
      <StatusPill status={ad.status} />
      {ad.taken_down_at && <span className="block text-sm text-soft">Taken down</span>}
      {ad.review?.state === 'waiting' && (
        <span className="block text-sm text-soft">Waiting for review</span>
      )}
    </>
  );
}

function Title({ title, company }: { title: string; company: string }) {
  return (
    <>
      <span className="block break-words">{title}</span>
      <span className="block text-sm font-normal text-soft empty:hidden">{company}</span>
    </>
  );
}
