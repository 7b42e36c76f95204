import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { dollars } from '#shared/money.ts';
import {
  donationStats,
  exportDonations,
  getDonation,
  type Donation,
} from '#shared/payments/admin-contract.ts';
import { AsItIs } from '../admin/as-it-is.tsx';
import { DataTable } from '../admin/data-table.tsx';
import { Pill } from '../admin/pill.tsx';
import { useListAddress } from '../admin/use-list-address.ts';
import { useOpened } from '../admin/use-opened.ts';
import { momentWords } from '../admin/words.ts';
import { call } from '../api.ts';
import { pathOf } from '../call.ts';
import { Card } from '../ui/card.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Modal } from '../ui/modal.tsx';
import { DonationStatCards } from './donation-stats.tsx';
import { WalletConfigCard } from './wallet-config-card.tsx';

const CHOICES = {
  sort: ['newest', 'oldest', 'amount'],
  status: ['completed', 'pending', 'failed', 'refunded'],
} as const;

const CONTROLS = [
  {
    name: 'status',
    label: 'Status',
    options: [
      { value: '', name: 'All' },
      { value: 'completed', name: 'Completed' },
      { value: 'pending', name: 'Pending' },
      { value: 'failed', name: 'Failed' },
      { value: 'refunded', name: 'Refunded' },
    ],
  },
  {
    name: 'sort',
    label: 'Order',
    options: [
      { value: '', name: 'Newest first' },
      { value: 'oldest', name: 'Oldest first' },
      { value: 'amount', name: 'Largest first' },
    ],
  },
] as const;

const statusWord = ({ payment_status }: Donation) =>
  `${payment_status.charAt(0).toUpperCase()}${payment_status.slice(1)}`;
const nameOf = (row: Donation) => `${dollars(row.amount_cents)} from ${row.email ?? 'somebody'}`;
const status = (row: Donation) => (
  <Pill isOn={row.payment_status === 'completed'}>{statusWord(row)}</Pill>
);

/** What was donated at the gate. */
export default function DonationsTab() {
  const address = useListAddress(CHOICES);
  const { query } = address;
  const { opened, id, open, close } = useOpened();
  const asked = useQuery({
    queryKey: ['admin', 'donations', query],
    queryFn: () => call(donationStats, { query }),
    placeholderData: keepPreviousData,
  });
  const { cursor: _, ...filters } = query;
  return (
    <>
      <WalletConfigCard />
      <DonationStatCards stats={asked.data?.stats} />
      <Card title="Recent Donations">
        <DataTable
          label="Donations"
          asked={asked}
          rows={asked.data?.recentDonations}
          address={address}
          idOf={(row) => row.id}
          nameOf={nameOf}
          empty="No donations found"
          noMatch="No donations match your filters"
          failure={donationStats.failure}
          search="Search by email, code or payment ID"
          controls={CONTROLS}
          exportHref={pathOf(exportDonations, {}, filters)}
          columns={[
            { name: 'Amount', cell: (row) => dollars(row.amount_cents) },
            { name: 'Status', cell: status },
            {
              name: 'Email',
              cell: (row) => <span className="wrap-anywhere">{row.email ?? 'Not given'}</span>,
            },
            {
              name: 'Access code',
              cell: (row) => (
                <span className="font-mono wrap-anywhere">{row.access_code_granted ?? 'None'}</span>
              ),
            },
            { name: 'Created', cell: (row) => momentWords(row.created_at) },
          ]}
          actions={(row) => (
            <IconButton
              label={`Details of ${nameOf(row)}`}
              onClick={() => open('donation', row.id)}
            >
              <Eye aria-hidden className="size-5" />
            </IconButton>
          )}
        />
      </Card>
      <Modal open={opened === 'donation' && id !== null} onClose={close} title="Donation Details">
        {id !== null && (
          <AsItIs
            key={id}
            queryKey={['admin', 'donation', id]}
            ask={() => call(getDonation, { params: { id } })}
            waiting="The donation is on its way"
          >
            {({ donation }) => <DonationDetails donation={donation} />}
          </AsItIs>
        )}
      </Modal>
    </>
  );
}

function DonationDetails({ donation }: { donation: Donation }) {
  const values = [
    ['Donation ID', donation.id],
    ['Amount', `${dollars(donation.amount_cents)} ${donation.currency}`],
    ['Status', status(donation)],
    ...(donation.returned_cents > 0
      ? [['Given back', dollars(donation.returned_cents)] as const]
      : []),
    ['Provider', donation.payment_provider],
    ['Email', donation.email ?? 'Not given'],
    ['Payment ID', donation.payment_id ?? 'None'],
    ['Access code', donation.access_code_granted ?? 'None'],
    ['Created', momentWords(donation.created_at)],
    ['Updated', momentWords(donation.updated_at)],
  ] as const;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2.5">
      {values.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className="font-semibold wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
