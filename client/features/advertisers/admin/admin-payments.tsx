import { Link } from 'react-router-dom';
import { listAdPayments, type AdminAdPayment } from '#shared/advertisers/admin-contract.ts';
import { dollars } from '#shared/money.ts';
import { DataTable } from '../../../platform/admin/list/data-table.tsx';
import { control, order } from '../../../platform/admin/list/list-filters.ts';
import { RowAction } from '../../../platform/admin/list/row-action.tsx';
import { useAdminList } from '../../../platform/admin/list/use-admin-list.ts';
import { useLatestRow } from '../../../platform/admin/list/use-latest-row.ts';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../../platform/ui/dialogs/use-dialog-param.ts';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { PaymentDetails } from '../../payments/payment-details.tsx';
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

const paymentName = (row: AdminAdPayment): string =>
  `${dollars(row.amount_cents)} of ${row.company_name}`;

/** The list with the ad of a payment, and its dialog. */
const adAddress = ({ advertisement_id }: AdminAdPayment): string =>
  `view=advertisements${typeof advertisement_id === 'string' ? '&kind=local' : ''}&open=edit-ad&id=${advertisement_id}`;

function PanelLink({ to, children }: { to: string; children: string }) {
  return (
    <Link
      to={`/admin?tab=advertisers&${to}`}
      className="-my-2.5 inline-block py-2.5 text-accent underline underline-offset-4"
    >
      {children}
    </Link>
  );
}

/** All payments for ads. */
export function AdminPayments() {
  const list = useAdminList(LIST);
  const { opened, id, open, close } = useDialogParam();
  const viewed = useLatestRow(list.asked.data?.payments, opened === 'payment' ? id : null);
  return (
    <Card title="Payments" isNamedAbove>
      <DataTable
        label="All payments"
        list={list}
        rowsOf={({ payments }) => payments}
        nameOf={paymentName}
        empty="No payments yet"
        noMatch="No payments match your filters"
        columns={[
          { name: 'Amount', orders: { down: 'amount' }, cell: (row) => amountWords(row) },
          {
            name: 'Status',
            isState: true,
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
        actions={(row) => (
          <RowAction
            word="Details"
            about={`of ${paymentName(row)}`}
            onClick={() => open('payment', row.id)}
          />
        )}
      />
      <Modal open={viewed !== undefined} onClose={close} title="Payment details">
        {viewed && (
          <PaymentDetails
            payment={viewed}
            more={[
              [
                'For',
                viewed.advertisement_title ? (
                  <PanelLink key="ad" to={adAddress(viewed)}>
                    {viewed.advertisement_title}
                  </PanelLink>
                ) : (
                  'Deleted'
                ),
              ],
              [
                'Company',
                viewed.company_name ? (
                  <PanelLink
                    key="company"
                    to={`view=advertisers&open=advertiser&id=${viewed.advertiser_id}`}
                  >
                    {viewed.company_name}
                  </PanelLink>
                ) : (
                  'Deleted'
                ),
              ],
            ]}
          />
        )}
      </Modal>
    </Card>
  );
}
