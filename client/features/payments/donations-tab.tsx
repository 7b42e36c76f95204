import { dollars } from '#shared/money.ts';
import {
  donationStats,
  exportDonations,
  getDonation,
  type Donation,
} from '#shared/payments/admin-contract.ts';
import { DataTable } from '../../platform/admin/list/data-table.tsx';
import { control, order } from '../../platform/admin/list/list-filters.ts';
import { LongText } from '../../platform/admin/list/long-text.tsx';
import { RowAction } from '../../platform/admin/list/row-action.tsx';
import { RowModal } from '../../platform/admin/list/row-modal.tsx';
import { useAdminList } from '../../platform/admin/list/use-admin-list.ts';
import { call } from '../../platform/http/api.ts';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import { Card } from '../../platform/ui/layout/card.tsx';
import { EmailText } from '../../platform/ui/layout/email-text.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';
import { DonationStatCards, SuccessRate } from './donation-stats.tsx';
import { PaymentDetails } from './payment-details.tsx';
import { moneyControl, LISTED_STATUS_NAMES, PaymentStatus } from './payment-status.tsx';
import { WalletConfigCard } from './wallet-config-card.tsx';

const LIST = {
  key: 'donations',
  from: donationStats,
  exported: exportDonations,
  search: 'Search by email, code or payment ID',
  controls: [
    control('status', 'Status', 'All', LISTED_STATUS_NAMES),
    moneyControl,
    order({ oldest: 'Oldest first', amount: 'Largest first' }),
  ],
} as const;

const nameOf = (row: Donation) =>
  `${dollars(row.amount_cents)} from ${row.email ?? 'an unknown donor'}`;
const status = (row: Donation) => (
  <PaymentStatus status={row.payment_status} state={row.provider_state} />
);

/** The admin list of donations at the access gate. */
export default function DonationsTab() {
  const list = useAdminList(LIST);
  const { opened, id, open, close } = useDialogParam();
  const stats = list.asked.data?.stats;
  return (
    <>
      <DonationStatCards stats={stats} />
      <Card title="Recent Donations" isNamedAbove>
        <DataTable
          label="Donations"
          list={list}
          rowsOf={({ recentDonations }) => recentDonations}
          nameOf={nameOf}
          empty="No donations found"
          noMatch="No donations match your filters"
          columns={[
            {
              name: 'Amount',
              orders: { down: 'amount' },
              cell: (row) => dollars(row.amount_cents),
            },
            { name: 'Status', isState: true, cell: status },
            {
              name: 'Email',
              cell: (row) => <LongText>{row.email ?? 'Not given'}</LongText>,
            },
            {
              name: 'Access code',
              cell: (row) => <LongText isCode>{row.access_code_granted ?? 'None'}</LongText>,
            },
            {
              name: 'Created',
              orders: { down: '', up: 'oldest' },
              cell: (row) => <Time at={row.created_at} />,
            },
          ]}
          actions={(row) => (
            <RowAction
              word="Details"
              about={`of ${nameOf(row)}`}
              onClick={() => open('donation', row.id)}
            />
          )}
        />
      </Card>
      <SuccessRate stats={stats} />
      <WalletConfigCard />
      <RowModal
        title="Donation Details"
        id={opened === 'donation' ? id : null}
        onClose={close}
        queryKey={['donation']}
        ask={(which) => call(getDonation, { params: { id: which } })}
        waiting="Loading donation…"
      >
        {({ donation }) => (
          <PaymentDetails
            payment={donation}
            more={[
              [
                'Email',
                donation.email === null ? (
                  'Not given'
                ) : (
                  <EmailText key="email">{donation.email}</EmailText>
                ),
              ],
              ['Access code', donation.access_code_granted ?? 'None'],
            ]}
          />
        )}
      </RowModal>
    </>
  );
}
