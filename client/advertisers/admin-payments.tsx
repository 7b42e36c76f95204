import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listAdPayments, type AdminAdPayment } from '#shared/advertisers/admin-contract.ts';
import { momentText } from '#shared/advertisers/words.ts';
import { dollars } from '#shared/money.ts';
import { DataTable } from '../admin/data-table.tsx';
import { useListAddress } from '../admin/use-list-address.ts';
import { call } from '../api.ts';
import { Card } from '../ui/card.tsx';
import { PaymentStatus } from './payment-status.tsx';

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

/** All payments for ads. */
export function AdminPayments() {
  const address = useListAddress(CHOICES);
  const { query } = address;
  const asked = useQuery({
    queryKey: ['admin', 'advertiser-payments', query],
    queryFn: () => call(listAdPayments, { query }),
    placeholderData: keepPreviousData,
  });
  return (
    <Card title="Payments">
      <DataTable
        label="All payments"
        asked={asked}
        rows={asked.data?.payments}
        address={address}
        idOf={({ id }) => id}
        nameOf={(row) => `${dollars(row.amount_cents)} of ${row.company_name}`}
        empty="No payments yet"
        noMatch="No payments match your filters"
        failure={listAdPayments.failure}
        controls={CONTROLS}
        columns={[
          { name: 'Amount', cell: (row) => amountWords(row) },
          {
            name: 'Status',
            cell: ({ payment_status }) => <PaymentStatus status={payment_status} />,
          },
          { name: 'Company', cell: ({ company_name }) => company_name || 'Deleted' },
          { name: 'For', cell: ({ advertisement_title }) => advertisement_title || 'Deleted' },
          {
            name: 'Payment ID',
            cell: ({ payment_id }) => (
              <span className="font-mono text-sm break-all">{payment_id ?? 'None'}</span>
            ),
          },
          { name: 'Created', cell: ({ created_at }) => momentText(new Date(created_at)) },
        ]}
      />
    </Card>
  );
}

const amountWords = ({ amount_cents, returned_cents }: AdminAdPayment): string =>
  returned_cents > 0 && returned_cents < amount_cents
    ? `${dollars(amount_cents)}, of which ${dollars(returned_cents)} back`
    : dollars(amount_cents);
