import { useState } from 'react';
import {
  exportAdvertisements,
  getAdvertisement,
  listAdvertisements,
  type Advertisement,
} from '#shared/ads/admin-contract.ts';
import { numberWords } from '../../platform/admin/format.ts';
import { CreateButton } from '../../platform/admin/list/create-button.tsx';
import { DataTable } from '../../platform/admin/list/data-table.tsx';
import { control, order } from '../../platform/admin/list/list-filters.ts';
import { RowAction, RowSwitch } from '../../platform/admin/list/row-action.tsx';
import { RowModal } from '../../platform/admin/list/row-modal.tsx';
import { useAdminList } from '../../platform/admin/list/use-admin-list.ts';
import { useRowActions } from '../../platform/admin/list/use-row-actions.ts';
import { Pill } from '../../platform/admin/pill.tsx';
import { call } from '../../platform/http/api.ts';
import { ConfirmDialog } from '../../platform/ui/dialogs/confirm-dialog.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import { Card } from '../../platform/ui/layout/card.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';
import { useNow } from '../../platform/use-now.ts';
import { AdForm } from './ad-form.tsx';
import { HOUSE_ADS } from './house-ads.ts';
import { PLACEMENT_NAMES } from './placement-labels.ts';

const LIST = {
  key: 'advertisements',
  from: listAdvertisements,
  exported: exportAdvertisements,
  search: 'Search by title or URL',
  controls: [
    control('status', 'Status', 'All', {
      active: 'Active',
      inactive: 'Inactive',
      expired: 'Expired',
    }),
    control('placement', 'Placement', 'All', PLACEMENT_NAMES),
    order({ oldest: 'Oldest first', title: 'By title', priority: 'Highest priority first' }),
  ],
} as const;

/** The admin list of house ads, with the forms to create and edit them. */
export function AdManagement() {
  const list = useAdminList(LIST);
  const { opened, id, open, close } = useDialogParam();
  const [deleting, setDeleting] = useState<Advertisement | null>(null);
  const now = useNow();
  const { toggle, remove, bulk } = useRowActions(HOUSE_ADS);
  return (
    <Card
      title="Advertisement Management"
      action={<CreateButton onClick={() => open('new')}>Create Ad</CreateButton>}
    >
      <DataTable
        label="Advertisements"
        list={list}
        rowsOf={({ advertisements }) => advertisements}
        nameOf={(row) => row.title}
        empty="No advertisements created yet"
        noMatch="No advertisements match your filters"
        bulk={bulk}
        columns={[
          { name: 'Title', orders: { up: 'title' }, cell: (row) => <AdTitle ad={row} /> },
          { name: 'Status', isState: true, cell: (row) => <AdStatus ad={row} now={now} /> },
          { name: 'Placement', cell: (row) => PLACEMENT_NAMES[row.placement] },
          {
            name: 'Priority',
            orders: { down: 'priority' },
            cell: (row) => row.priority,
            isFigure: true,
          },
          { name: 'Views', cell: (row) => numberWords(row.impressions), isFigure: true },
          { name: 'Clicks', cell: (row) => numberWords(row.clicks), isFigure: true },
          {
            name: 'Expires',
            cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : 'Never'),
          },
        ]}
        actions={(row) => (
          <>
            <RowSwitch
              word="Active"
              label={`${row.title} is active`}
              checked={row.active}
              onChange={() => void toggle(row)}
            />
            <RowAction word="Edit" about={row.title} onClick={() => open('edit', row.id)} />
            <RowAction word="Delete" about={row.title} onClick={() => setDeleting(row)} />
          </>
        )}
      />
      <Modal open={opened === 'new'} onClose={close} title="Create advertisement">
        <AdForm ad={null} onDone={close} />
      </Modal>
      <RowModal
        title="Edit advertisement"
        id={opened === 'edit' ? id : null}
        onClose={close}
        queryKey={['advertisement']}
        ask={(which) => call(getAdvertisement, { params: { id: which } })}
        waiting="Loading advertisement…"
      >
        {({ advertisement }) => <AdForm ad={advertisement} onDone={close} />}
      </RowModal>
      <ConfirmDialog
        open={deleting !== null}
        title="Delete this advertisement?"
        description={`“${deleting?.title}” will no longer be shown. Its click statistics stay.`}
        yes="Delete"
        onYes={() => deleting && void remove(deleting)}
        onClose={() => setDeleting(null)}
      />
    </Card>
  );
}

function AdTitle({ ad }: { ad: Advertisement }) {
  return (
    <>
      <span className="block break-words">{ad.title}</span>
      <a
        href={ad.target_url}
        target="_blank"
        rel="noopener noreferrer"
        className="line-clamp-1 py-1 max-md:py-3 text-sm font-normal break-all text-accent underline underline-offset-4"
      >
        {ad.target_url}
      </a>
    </>
  );
}

function AdStatus({ ad, now }: { ad: Advertisement; now: number }) {
  if (!ad.active) return <Pill>Inactive</Pill>;
  const isOver = ad.expires_at !== null && Date.parse(ad.expires_at) <= now;
  return isOver ? <Pill>Expired</Pill> : <Pill isOn>Active</Pill>;
}
