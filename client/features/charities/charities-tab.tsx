import { useQuery } from '@tanstack/react-query';
import {
  BadgeCheck,
  Ban,
  CircleDollarSign,
  HandHeart,
  MousePointerClick,
  Pencil,
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
import { DataTable } from '../../platform/admin/list/data-table.tsx';
import { control, order } from '../../platform/admin/list/list-filters.ts';
import { RowAction, RowSwitch } from '../../platform/admin/list/row-action.tsx';
import { RowModal } from '../../platform/admin/list/row-modal.tsx';
import { useAdminList } from '../../platform/admin/list/use-admin-list.ts';
import { Pill } from '../../platform/admin/pill.tsx';
import { StatCards } from '../../platform/admin/stat-cards.tsx';
import { call } from '../../platform/http/api.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { ConfirmDialog } from '../../platform/ui/dialogs/confirm-dialog.tsx';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import { Card } from '../../platform/ui/layout/card.tsx';
import { EmailText } from '../../platform/ui/layout/email-text.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';
import { CharityDetails } from './charity-details.tsx';
import { CharityEditForm } from './charity-edit-form.tsx';
import { RaisedForm } from './raised-form.tsx';
import { RejectForm } from './reject-form.tsx';
import { useCharityActions } from './use-charity-actions.ts';

const LIST = {
  key: 'charities',
  from: listAllCharities,
  exported: exportCharities,
  search: 'Search by name, place, email or tax ID',
  controls: [
    control('verification', 'Verification', 'All', {
      pending: 'Pending',
      verified: 'Verified',
      rejected: 'Rejected',
    }),
    control('activity', 'Status', 'All', { active: 'Active', inactive: 'Inactive' }),
    control('source', 'Source', 'All', {
      application: 'Applications',
      suggestion: 'Suggestions',
    }),
    order({ oldest: 'Oldest first', name: 'By name', donations: 'Most visits first' }),
  ],
} as const;

const nameOf = (row: AdminCharity) => row.charity_name;

/** The admin list of charities. */
export default function CharitiesTab() {
  const list = useAdminList(LIST);
  const { opened, id, open, close } = useDialogParam();
  const [deleting, setDeleting] = useState<AdminCharity | null>(null);
  const actions = useCharityActions();
  return (
    <>
      <Stats />
      <Card title="Charities" isNamedAbove>
        <DataTable
          label="All charities"
          list={list}
          rowsOf={({ charities }) => charities}
          nameOf={nameOf}
          empty="No charities registered yet"
          noMatch="No charities match your filters"
          bulk={actions.bulk}
          columns={[
            {
              name: 'Charity',
              orders: { up: 'name' },
              cell: ({ charity_name, city, state }) => (
                <>
                  <span className="block break-words">{charity_name}</span>
                  <span className="block text-sm font-normal text-soft empty:hidden">
                    {[city, state].filter(Boolean).join(', ')}
                  </span>
                </>
              ),
            },
            { name: 'Verification', isState: true, cell: (row) => <Verification charity={row} /> },
            {
              name: 'Visits',
              orders: { down: 'donations' },
              cell: ({ donation_count }) => donation_count,
              isFigure: true,
            },
            {
              name: 'Created',
              orders: { down: '', up: 'oldest' },
              cell: ({ created_at }) => <Time at={created_at} />,
            },
          ]}
          actions={(row) => (
            <>
              {/* The decision follows a look at the application. */}
              {!row.is_verified && (
                <RowAction
                  word="Review"
                  about={row.charity_name}
                  onClick={() => open('charity', row.id)}
                />
              )}
              {/* Nobody sees one that isn't verified: it would look as if they did. */}
              {row.is_verified && (
                <RowSwitch
                  word="Active"
                  label={`${row.charity_name} is active`}
                  checked={row.is_active}
                  onChange={() => void actions.toggle(row)}
                />
              )}
              <RowAction
                word="Details"
                about={`of ${row.charity_name}`}
                onClick={() => open('charity', row.id)}
              />
              <RowAction word="Delete" about={row.charity_name} onClick={() => setDeleting(row)} />
            </>
          )}
        />
      </Card>
      <RowModal
        title="Charity"
        id={opened === 'charity' ? id : null}
        onClose={close}
        queryKey={['charities', 'one']}
        ask={(which) => call(getCharity, { params: { id: which } })}
        waiting="Loading charity…"
      >
        {({ charity }) => (
          <Details
            charity={charity}
            onEdit={() => open('edit-charity', charity.id)}
            onVerify={actions.verify}
            onReject={() => open('reject', charity.id)}
          />
        )}
      </RowModal>
      <RowModal
        title="Edit charity"
        id={opened === 'edit-charity' ? id : null}
        onClose={close}
        queryKey={['charities', 'edited']}
        ask={(which) => call(getCharity, { params: { id: which } })}
        waiting="Loading charity…"
      >
        {({ charity }) => <CharityEditForm charity={charity} onDone={close} />}
      </RowModal>
      <RowModal
        title="Reject charity"
        id={opened === 'reject' ? id : null}
        onClose={close}
        queryKey={['charities', 'rejected']}
        ask={(which) => call(getCharity, { params: { id: which } })}
        waiting="Loading charity…"
      >
        {({ charity }) => <RejectForm charity={charity} onDone={close} />}
      </RowModal>
      <ConfirmDialog
        open={deleting !== null}
        title={`Delete ${deleting?.charity_name}?`}
        description="Its details, logo, and donation records will be permanently deleted. To hide it instead, make it inactive."
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
      label="Charity stats"
      stats={[
        { name: 'Total charities', value: stats?.total_charities, Icon: HandHeart },
        { name: 'Verified', value: stats?.verified_charities, Icon: BadgeCheck },
        {
          name: 'Raised, as charities report',
          value: stats && dollars(stats.total_donated_cents),
          Icon: CircleDollarSign,
        },
        {
          name: 'Visits to donation pages in 24 hours',
          value: stats?.donations_last_24h,
          Icon: MousePointerClick,
        },
      ]}
    />
  );
}

function Verification({ charity }: { charity: AdminCharity }) {
  if (charity.is_verified) return <Pill isOn>Verified</Pill>;
  return <Pill>{charity.rejection ? 'Rejected' : 'Pending Verification'}</Pill>;
}

function Details({
  charity,
  onEdit,
  onVerify,
  onReject,
}: {
  charity: AdminCharity;
  onEdit: () => void;
  onReject: () => void;
  onVerify: (row: AdminCharity) => Promise<void>;
}) {
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto text-lg font-bold break-words">{charity.charity_name}</p>
        <Verification charity={charity} />
        {charity.is_verified ? (
          <Pill isOn={charity.is_active}>{charity.is_active ? 'Active' : 'Inactive'}</Pill>
        ) : (
          <Pill>Not public yet</Pill>
        )}
      </div>
      <CharityDetails
        charity={charity}
        more={[
          ['Contact', charity.contact_name],
          [
            'Email',
            charity.contact_email && <EmailText key="email">{charity.contact_email}</EmailText>,
          ],
          ['Rejected because', charity.rejection?.reason ?? null],
          ['Source', charity.source === 'application' ? 'Application' : 'Suggestion'],
          ['Created', <Time key="created" at={charity.created_at} />],
          ['Visits to its donation page', String(charity.donation_count)],
          ['Total donated', dollars(charity.total_donated_cents)],
        ]}
      />
      <Button look="secondary" onClick={onEdit} Icon={Pencil}>
        Edit details
      </Button>
      {charity.is_verified && <RaisedForm key={charity.version} charity={charity} />}
      {!charity.is_verified && (
        // In view whatever the length of the application.
        <div className="sticky -bottom-4 -mx-4 flex flex-wrap gap-3 border-t border-line bg-surface px-4 py-3 sm:-bottom-6 sm:-mx-6 sm:px-6">
          {!charity.rejection && (
            <Button look="secondary" className="flex-1" onClick={onReject} Icon={Ban}>
              Reject
            </Button>
          )}
          <Button className="flex-1" onClick={() => void onVerify(charity)} Icon={BadgeCheck}>
            Verify
          </Button>
        </div>
      )}
    </div>
  );
}
