import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  BadgeCheck,
  CircleDollarSign,
  Eye,
  HandHeart,
  MousePointerClick,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import {
  charityAnalytics,
  exportCharities,
  getCharity,
  listAllCharities,
  type AdminCharity,
} from '#shared/charities/admin-contract.ts';
import { dollars } from '#shared/money.ts';
import { AsItIs } from '../admin/as-it-is.tsx';
import { DataTable } from '../admin/data-table.tsx';
import { Pill } from '../admin/pill.tsx';
import { StatCards } from '../admin/stat-cards.tsx';
import { useListAddress } from '../admin/use-list-address.ts';
import { useOpened } from '../admin/use-opened.ts';
import { momentWords } from '../admin/words.ts';
import { call } from '../api.ts';
import { pathOf } from '../call.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Modal } from '../ui/modal.tsx';
import { Question } from '../ui/question.tsx';
import { Switch } from '../ui/switch.tsx';
import { CharityDetails } from './charity-details.tsx';
import { useCharityActions } from './use-charity-actions.ts';

const CHOICES = {
  sort: ['newest', 'oldest', 'name', 'donations'],
  verification: ['verified', 'pending'],
  activity: ['active', 'inactive'],
  source: ['application', 'suggestion'],
} as const;

const CONTROLS = [
  {
    name: 'verification',
    label: 'Verification',
    options: [
      { value: '', name: 'All' },
      { value: 'pending', name: 'Pending' },
      { value: 'verified', name: 'Verified' },
    ],
  },
  {
    name: 'activity',
    label: 'Status',
    options: [
      { value: '', name: 'All' },
      { value: 'active', name: 'Active' },
      { value: 'inactive', name: 'Inactive' },
    ],
  },
  {
    name: 'source',
    label: 'Came as',
    options: [
      { value: '', name: 'Either' },
      { value: 'application', name: 'Applications' },
      { value: 'suggestion', name: 'Suggestions' },
    ],
  },
  {
    name: 'sort',
    label: 'Order',
    options: [
      { value: '', name: 'Newest first' },
      { value: 'oldest', name: 'Oldest first' },
      { value: 'name', name: 'By name' },
      { value: 'donations', name: 'Most given to first' },
    ],
  },
] as const;

const idOf = (row: AdminCharity) => row.id;
const nameOf = (row: AdminCharity) => row.charity_name;

/** Charities: what is to be verified, what members see. */
export default function CharitiesTab() {
  const address = useListAddress(CHOICES);
  const { query } = address;
  const { opened, id, open, close } = useOpened();
  const [deleting, setDeleting] = useState<AdminCharity | null>(null);
  const asked = useQuery({
    queryKey: ['admin', 'charities', query],
    queryFn: () => call(listAllCharities, { query }),
    placeholderData: keepPreviousData,
  });
  const actions = useCharityActions();
  const { cursor: _, ...filters } = query;
  return (
    <>
      <Stats />
      <Card title="Charities">
        <DataTable
          label="All charities"
          asked={asked}
          rows={asked.data?.charities}
          address={address}
          idOf={idOf}
          nameOf={nameOf}
          empty="No charities registered yet"
          noMatch="No charities match your filters"
          failure={listAllCharities.failure}
          search="Search by name, place, email or tax ID"
          controls={CONTROLS}
          exportHref={pathOf(exportCharities, {}, filters)}
          bulk={actions.bulk}
          columns={[
            {
              name: 'Charity',
              cell: ({ charity_name, city, state }) => (
                <>
                  <span className="block break-words">{charity_name}</span>
                  <span className="block text-sm font-normal text-soft empty:hidden">
                    {[city, state].filter(Boolean).join(', ')}
                  </span>
                </>
              ),
            },
            { name: 'Verification', cell: (row) => <Verification charity={row} /> },
            { name: 'Donations', cell: ({ donation_count }) => donation_count, isFigure: true },
            { name: 'Created', cell: ({ created_at }) => momentWords(created_at) },
          ]}
          actions={(row) => (
            <>
              {!row.is_verified && (
                <IconButton
                  label={`Verify ${row.charity_name}`}
                  onClick={() => void actions.verify(row)}
                >
                  <BadgeCheck aria-hidden className="size-5" />
                </IconButton>
              )}
              <Switch
                label={`${row.charity_name} is active`}
                checked={row.is_active}
                onChange={() => void actions.toggle(row)}
              />
              <IconButton
                label={`Details of ${row.charity_name}`}
                onClick={() => open('charity', row.id)}
              >
                <Eye aria-hidden className="size-5" />
              </IconButton>
              <IconButton label={`Delete ${row.charity_name}`} onClick={() => setDeleting(row)}>
                <Trash2 aria-hidden className="size-5" />
              </IconButton>
            </>
          )}
        />
      </Card>
      <Modal open={opened === 'charity' && id !== null} onClose={close} title="Charity">
        {id !== null && (
          <AsItIs
            key={id}
            queryKey={['admin', 'charities', 'one', id]}
            ask={() => call(getCharity, { params: { id } })}
            waiting="The charity is on its way"
          >
            {({ charity }) => <Details charity={charity} onVerify={actions.verify} />}
          </AsItIs>
        )}
      </Modal>
      <Question
        open={deleting !== null}
        title={`Delete ${deleting?.charity_name}?`}
        description="Its details, its logo and its donation records are gone for good. To hide it, make it inactive."
        yes="Delete"
        onYes={() => deleting && void actions.remove(deleting)}
        onClose={() => setDeleting(null)}
      />
    </>
  );
}

function Stats() {
  const { data } = useQuery({
    queryKey: ['admin', 'charities', 'stats'],
    queryFn: () => call(charityAnalytics),
  });
  const stats = data?.stats;
  return (
    <StatCards
      label="Charities in figures"
      stats={[
        { name: 'Total charities', value: stats?.total_charities ?? null, Icon: HandHeart },
        { name: 'Verified', value: stats?.verified_charities ?? null, Icon: BadgeCheck },
        {
          name: 'Total donated',
          value: stats ? dollars(stats.total_donated_cents) : null,
          Icon: CircleDollarSign,
        },
        {
          name: 'Donations in 24 hours',
          value: stats?.donations_last_24h ?? null,
          Icon: MousePointerClick,
        },
      ]}
    />
  );
}

function Verification({ charity }: { charity: AdminCharity }) {
  return charity.is_verified ? <Pill isOn>Verified</Pill> : <Pill>Pending Verification</Pill>;
}

function Details({
  charity,
  onVerify,
}: {
  charity: AdminCharity;
  onVerify: (row: AdminCharity) => Promise<void>;
}) {
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto text-lg font-bold break-words">{charity.charity_name}</p>
        <Verification charity={charity} />
        <Pill isOn={charity.is_active}>{charity.is_active ? 'Active' : 'Inactive'}</Pill>
      </div>
      <CharityDetails
        charity={charity}
        more={[
          ['Contact', charity.contact_name],
          ['Email', charity.contact_email],
          ['Came as', charity.source === 'application' ? 'Application' : 'Suggestion'],
          ['Created', momentWords(charity.created_at)],
          ['Donations', String(charity.donation_count)],
          ['Total donated', dollars(charity.total_donated_cents)],
        ]}
      />
      {!charity.is_verified && (
        <Button
          wide
          onClick={() => void onVerify(charity)}
          icon={<BadgeCheck aria-hidden className="size-5 shrink-0" />}
        >
          Verify
        </Button>
      )}
    </div>
  );
}
