import { listAdPayments } from '#shared/advertisers/admin-contract.ts';
import { dollars } from '#shared/money.ts';
import { DataTable } from '../../../platform/admin/list/data-table.tsx';
import { control, order } from '../../../platform/admin/list/list-filters.ts';
import { useAdminList } from '../../../platform/admin/list/use-admin-list.ts';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { PaymentId } from '../../payments/payment-id.tsx';
import {
  moneyControl,
  LISTED_STATUS_NAMES,
  PaymentStatus,
} from '../../payments/payment-status.tsx';
import { amountWords } from '../format-amount.ts';

const LIST = {
  key: 'advertiser-payments',
  from: listAdPayments,
  search: 'Search by company, email or payment ID',
  controls: [
    control('status', 'Status', 'All', LISTED_STATUS_NAMES),
    moneyControl,
    order({ oldest: 'Oldest first', amount: 'Largest first' }),
  ],
} as const;

/** All payments for ads. */
export function AdminPayments() {
  const list = useAdminList(LIST);
  return (
    <Card title="Payments">
      <DataTable
        label="All payments"
        list={list}
        rowsOf={({ payments }) => payments}
        nameOf={(row) => `${dollars(row.amount_cents)} of ${row.company_name}`}
        empty="No payments yet"
        noMatch="No payments match your filters"
        columns={[
          { name: 'Amount', orders: { down: 'amount' }, cell: (row) => amountWords(row) },
          {
            name: 'Status',
            cell: ({ payment_status, provider_state }) => (
              <PaymentStatus status={payment_status} state={provider_state} />
            ),
          },
          { name: 'Company', cell: ({ company_name }) => company_name || 'Deleted' },
          { name: 'For', cell: ({ advertisement_title }) => advertisement_title || 'Deleted' },
          {
            name: 'Payment ID',
            cell: (row) => <PaymentId payment={row} />,
          },
          {
            name: 'Created',
            orders: { down: '', up: 'oldest' },
            cell: ({ created_at }) => <Time at={created_at} />,
          },
        ]}
      />
    </Card>
  );
}
