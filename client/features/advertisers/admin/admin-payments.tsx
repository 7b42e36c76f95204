import { formatDateTimeInZone } from '#shared/dates.ts';
import { listAdPayments } from '#shared/advertisers/admin-contract.ts';
import { dollars } from '#shared/money.ts';
import { control, order } from '../../../platform/admin/list/list-filters.ts';
import { DataTable } from '../../../platform/admin/list/data-table.tsx';
import { useAdminList } from '../../../platform/admin/list/use-admin-list.ts';
import {
  moneyControl,
  PAYMENT_STATUS_NAMES,
  PaymentStatus,
} from '../../payments/payment-status.tsx';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { amountWords } from '../format-amount.ts';

const LIST = {
  key: 'advertiser-payments',
  from: listAdPayments,
  search: 'Search by company, email or payment ID',
  controls: [
    control('status', 'Status', 'All', PAYMENT_STATUS_NAMES),
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
          { name: 'Amount', cell: (row) => amountWords(row) },
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
            cell: ({ payment_id }) => (
              <span className="font-mono text-sm break-all">{payment_id ?? 'None'}</span>
            ),
          },
          { name: 'Created', cell: ({ created_at }) => formatDateTimeInZone(created_at) },
        ]}
      />
    </Card>
  );
}
