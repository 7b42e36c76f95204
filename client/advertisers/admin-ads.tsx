import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import {
  listAdvertiserAds,
  listBusinessListings,
  type AdminListing,
  type AdminTimedAd,
} from '#shared/advertisers/admin-contract.ts';
import { BUSINESS_TYPE_NAMES } from '#shared/advertisers/business-types.ts';
import { hoursText, momentText } from '#shared/advertisers/words.ts';
import { dollars } from '#shared/money.ts';
import { DataTable } from '../admin/data-table.tsx';
import { useListAddress } from '../admin/use-list-address.ts';
import { call } from '../api.ts';
import { Card } from '../ui/card.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { LISTING_ACTS, TIMED_ACTS } from './admin-acts.ts';
import { StatusPill } from './status-pill.tsx';
import { DownActions, TakeDownModal } from './take-down.tsx';
import { PLACEMENT_NAMES } from './words.ts';

const KINDS = [
  { value: '', name: 'Timed ads' },
  { value: 'local', name: 'Location-based ads' },
] as const;

/** Everything that was ever booked. */
export function AdminAds() {
  const [search, setSearch] = useSearchParams();
  const kind = search.get('kind') === 'local' ? 'local' : '';
  return (
    <Card title="Advertisements">
      <div className="mb-4 max-w-64">
        <SelectField
          label="Kind"
          options={KINDS}
          value={kind}
          onChange={({ target }) =>
            setSearch({
              tab: 'advertisers',
              view: 'advertisements',
              ...(target.value ? { kind: target.value } : {}),
            })
          }
        />
      </div>
      {kind === 'local' ? <Listings /> : <TimedAds />}
    </Card>
  );
}

const TIMED_CHOICES = {
  sort: ['newest', 'oldest', 'start'],
  status: ['scheduled', 'active', 'completed', 'cancelled', 'unpaid'],
} as const;
const TIMED_CONTROLS = [
  {
    name: 'status',
    label: 'Status',
    options: [
      { value: '', name: 'All' },
      { value: 'scheduled', name: 'Scheduled' },
      { value: 'active', name: 'Active' },
      { value: 'completed', name: 'Completed' },
      { value: 'cancelled', name: 'Cancelled' },
      { value: 'unpaid', name: 'Not paid' },
    ],
  },
  {
    name: 'sort',
    label: 'Order',
    options: [
      { value: '', name: 'Newest first' },
      { value: 'oldest', name: 'Oldest first' },
      { value: 'start', name: 'By start' },
    ],
  },
] as const;

function TimedAds() {
  const address = useListAddress(TIMED_CHOICES);
  const { query } = address;
  const asked = useQuery({
    queryKey: ['admin', 'advertiser-ads', query],
    queryFn: () => call(listAdvertiserAds, { query }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <DataTable
        label="Timed ads"
        asked={asked}
        rows={asked.data?.ads}
        address={address}
        idOf={({ id }) => String(id)}
        nameOf={({ title }) => title}
        empty="No advertisements found"
        noMatch="No advertisements match your filters"
        failure={listAdvertiserAds.failure}
        controls={TIMED_CONTROLS}
        columns={[
          {
            name: 'Title',
            cell: ({ title, company_name }) => <Title title={title} company={company_name} />,
          },
          { name: 'Status', cell: (ad) => <Status ad={ad} /> },
          { name: 'Placement', cell: ({ placement }) => PLACEMENT_NAMES[placement] },
          {
            name: 'Runs',
            cell: (ad) =>
              `${momentText(new Date(ad.scheduled_start_at))}, ${hoursText(ad.duration_hours)}`,
          },
          { name: 'Cost', cell: ({ cost_cents }) => dollars(cost_cents), isFigure: true },
          { name: 'Seen', cell: ({ impressions }) => impressions, isFigure: true },
          { name: 'Clicks', cell: ({ clicks }) => clicks, isFigure: true },
        ]}
        actions={(ad) => <DownActions ad={ad} />}
        bulk={TIMED_ACTS}
      />
      <TakeDownModal ads={asked.data?.ads} />
    </>
  );
}

const LISTING_CHOICES = {
  sort: ['newest', 'oldest'],
  status: ['active', 'paused', 'expired', 'cancelled', 'unpaid'],
} as const;
const LISTING_CONTROLS = [
  {
    name: 'status',
    label: 'Status',
    options: [
      { value: '', name: 'All' },
      { value: 'active', name: 'Active' },
      { value: 'paused', name: 'Paused' },
      { value: 'expired', name: 'Expired' },
      { value: 'cancelled', name: 'Cancelled' },
      { value: 'unpaid', name: 'Not paid' },
    ],
  },
  {
    name: 'sort',
    label: 'Order',
    options: [
      { value: '', name: 'Newest first' },
      { value: 'oldest', name: 'Oldest first' },
    ],
  },
] as const;

function Listings() {
  const address = useListAddress(LISTING_CHOICES);
  const { query } = address;
  const asked = useQuery({
    queryKey: ['admin', 'business-listings', query],
    queryFn: () => call(listBusinessListings, { query }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <DataTable
        label="Location-based ads"
        asked={asked}
        rows={asked.data?.listings}
        address={address}
        idOf={({ id }) => id}
        nameOf={({ business_name }) => business_name}
        empty="No advertisements found"
        noMatch="No advertisements match your filters"
        failure={listBusinessListings.failure}
        controls={LISTING_CONTROLS}
        columns={[
          {
            name: 'Business',
            cell: ({ business_name, company_name }) => (
              <Title title={business_name} company={company_name} />
            ),
          },
          { name: 'Status', cell: (ad) => <Status ad={ad} /> },
          { name: 'Type', cell: ({ business_type }) => BUSINESS_TYPE_NAMES[business_type] },
          {
            name: 'Paid until',
            cell: ({ subscription_end_date }) =>
              subscription_end_date ? momentText(new Date(subscription_end_date)) : 'Never paid',
          },
          { name: 'Paid', cell: ({ spent_cents }) => dollars(spent_cents), isFigure: true },
          { name: 'Seen', cell: ({ impressions }) => impressions, isFigure: true },
          { name: 'Clicks', cell: ({ clicks }) => clicks, isFigure: true },
        ]}
        actions={(ad) => <DownActions ad={ad} />}
        bulk={LISTING_ACTS}
      />
      <TakeDownModal ads={asked.data?.listings} />
    </>
  );
}

function Status({ ad }: { ad: AdminTimedAd | AdminListing }) {
  return (
    <>
      <StatusPill status={ad.status} />
      {ad.taken_down_at && <span className="block text-sm text-soft">Taken down</span>}
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
