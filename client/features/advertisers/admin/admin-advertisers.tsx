import { Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  advertiserAnalytics,
  exportAdvertisers,
  getAdvertiser,
  type AdminAdvertiser,
} from '#shared/advertisers/admin-contract.ts';
import { formatDateTimeInZone } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';
import { DataTable } from '../../../platform/admin/list/data-table.tsx';
import { order } from '../../../platform/admin/list/list-filters.ts';
import { LongText } from '../../../platform/admin/list/long-text.tsx';
import { RowAction } from '../../../platform/admin/list/row-action.tsx';
import { RowModal } from '../../../platform/admin/list/row-modal.tsx';
import { useAdminList } from '../../../platform/admin/list/use-admin-list.ts';
import { call } from '../../../platform/http/api.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { useDialogParam } from '../../../platform/ui/dialogs/use-dialog-param.ts';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { DetailsList } from '../../../platform/ui/layout/details-list.tsx';
import { EmailText } from '../../../platform/ui/layout/email-text.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { PLACEMENT_NAMES } from '../../ads/placement-labels.ts';
import { PaymentStatus } from '../../payments/payment-status.tsx';
import { StatusPill } from '../status-pill.tsx';
import { AdvertiserForm } from './advertiser-form.tsx';

const LIST = {
  key: 'advertisers',
  from: advertiserAnalytics,
  exported: exportAdvertisers,
  search: 'Search by company, contact or email',
  controls: [order({ oldest: 'Oldest first', company: 'By company' })],
} as const;

/** The admin list of advertisers. */
export function AdminAdvertisers() {
  const list = useAdminList(LIST);
  const { opened, id, open, close } = useDialogParam();
  return (
    <Card title="Advertisers" isNamedAbove>
      <DataTable
        label="All advertisers"
        list={list}
        rowsOf={({ advertisers }) => advertisers}
        nameOf={(row) => row.company_name}
        empty="No advertisers found"
        noMatch="No advertisers found"
        columns={[
          {
            name: 'Company',
            cell: ({ company_name, contact_name }) => (
              <>
                <span className="block break-words">{company_name}</span>
                <span className="block text-sm font-normal text-soft empty:hidden">
                  {contact_name}
                </span>
              </>
            ),
          },
          {
            name: 'Email',
            cell: ({ email }) => <LongText>{email ?? 'Deleted'}</LongText>,
          },
          {
            name: 'Ads',
            cell: ({ advertisements, listings }) => advertisements.length + listings.length,
            isFigure: true,
          },
          {
            name: 'Total spent',
            cell: ({ total_spent_cents }) => dollars(total_spent_cents),
            isFigure: true,
          },
          {
            name: 'Last payment',
            isState: true,
            cell: ({ payment_status }) => <PaymentStatus status={payment_status} />,
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
            about={`of ${row.company_name}`}
            onClick={() => open('advertiser', row.id)}
          />
        )}
      />
      <RowModal
        title="Advertiser Details"
        id={opened === 'advertiser' ? id : null}
        onClose={close}
        queryKey={['advertiser']}
        ask={(which) => call(getAdvertiser, { params: { id: which } })}
        waiting="Loading advertiser…"
      >
        {({ advertiser }) => (
          <Details advertiser={advertiser} onEdit={() => open('edit-advertiser', advertiser.id)} />
        )}
      </RowModal>
      <RowModal
        title="Edit advertiser"
        id={opened === 'edit-advertiser' ? id : null}
        onClose={close}
        queryKey={['advertisers', 'edited']}
        ask={(which) => call(getAdvertiser, { params: { id: which } })}
        waiting="Loading advertiser…"
      >
        {({ advertiser }) => <AdvertiserForm advertiser={advertiser} onDone={close} />}
      </RowModal>
    </Card>
  );
}

function Details({ advertiser, onEdit }: { advertiser: AdminAdvertiser; onEdit: () => void }) {
  return (
    <div className="flex flex-col gap-5">
      <DetailsList
        rows={valuesOf(advertiser)}
        className="gap-x-6 gap-y-2.5"
        valueClassName="font-bold break-words"
      />
      <Button look="secondary" onClick={onEdit} Icon={Pencil}>
        Edit details
      </Button>
      <section aria-label="Advertisements">
        <h3 className="mb-2 font-bold">Advertisements</h3>
        <Ads advertiser={advertiser} />
      </section>
    </div>
  );
}

const valuesOf = (row: AdminAdvertiser): [string, ReactNode][] => [
  ['Company', row.company_name],
  ['Contact', row.contact_name || 'Deleted'],
  ['Email', row.email === null ? 'Deleted' : <EmailText key="email">{row.email}</EmailText>],
  ['Phone', row.phone ?? 'Not given'],
  ['Billing address', row.billing_address ?? 'Not given'],
  ['Total spent', dollars(row.total_spent_cents)],
  ['Created', formatDateTimeInZone(row.created_at)],
];

function Ads({ advertiser: { advertisements, listings } }: { advertiser: AdminAdvertiser }) {
  const ads = [
    ...advertisements.map((ad) => ({
      ...ad,
      name: ad.title,
      when: `${formatDateTimeInZone(ad.scheduled_start_at)}, ${PLACEMENT_NAMES[ad.placement]}`,
    })),
    ...listings.map((ad) => ({
      ...ad,
      name: ad.business_name,
      when: ad.subscription_end_date
        ? `Until ${formatDateTimeInZone(ad.subscription_end_date)}`
        : 'Never shown',
    })),
  ];
  if (ads.length === 0) return <p className="text-soft">None yet</p>;
  return (
    <ul className="divide-y divide-line">
      {ads.map((ad) => (
        <li key={ad.id} className="flex items-start justify-between gap-3 py-2.5">
          <div className="min-w-0">
            <p className="font-bold break-words">{ad.name}</p>
            <p className="text-sm text-soft">{ad.when}</p>
            <p className="text-sm text-soft tabular-nums">
              {ad.impressions} impressions, {ad.clicks} clicks, {dollars(ad.spent_cents)}
            </p>
          </div>
          <StatusPill status={ad.status} />
        </li>
      ))}
    </ul>
  );
}
