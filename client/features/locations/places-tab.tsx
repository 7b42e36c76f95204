import { Eye, EyeOff, FolderSearch } from 'lucide-react';
import {
  listAdminLocations,
  exportAdminLocations,
  getAdminLocation,
  type AdminLocation,
} from '#shared/locations/admin-contract.ts';
import { DataTable } from '../../platform/admin/list/data-table.tsx';
import { control, order } from '../../platform/admin/list/list-filters.ts';
import { RowAction } from '../../platform/admin/list/row-action.tsx';
import { RowModal } from '../../platform/admin/list/row-modal.tsx';
import { useAdminList } from '../../platform/admin/list/use-admin-list.ts';
import { Pill } from '../../platform/admin/pill.tsx';
import { call } from '../../platform/http/api.ts';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import { Card } from '../../platform/ui/layout/card.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';
import { LOCATION_KINDS } from './place-types.ts';
import { PlaceEditForm } from './place/place-edit-form.tsx';
import { PlaceReview } from './place/place-review.tsx';
import { useModeration } from './use-moderation.ts';

const LIST = {
  key: 'locations',
  from: listAdminLocations,
  exported: exportAdminLocations,
  search: 'Search by name or address',
  controls: [
    control('status', 'Status', 'All', {
      reported: 'Reported',
      shown: 'Shown',
      hidden: 'Hidden',
      merged: 'Merged',
    }),
    order({ oldest: 'Oldest first', most_reported: 'Most reported first' }),
  ],
} as const;

const nameOf = (row: AdminLocation) => row.name;

const stateOf = ({ is_active, merged_into }: AdminLocation): string => {
  if (merged_into !== null) return 'Merged';
  return is_active ? 'Shown' : 'Hidden';
};

/** The admin list of places to walk and reports about them. */
export default function PlacesTab() {
  const list = useAdminList(LIST);
  const { opened, id, open, close } = useDialogParam();
  const { show, bulk } = useModeration();
  return (
    <Card title="Walking Places">
      <DataTable
        label="Places"
        list={list}
        rowsOf={({ locations }) => locations}
        nameOf={nameOf}
        empty="No places added yet"
        noMatch="No places match your filters"
        bulk={bulk}
        columns={[
          {
            name: 'Place',
            cell: ({ name, address: at, location_type }) => (
              <>
                <span className="block break-words">{name}</span>
                <span className="block text-sm font-normal text-soft">
                  <span>{LOCATION_KINDS[location_type].name}</span>
                  {at && <span>{` · ${at}`}</span>}
                </span>
              </>
            ),
          },
          {
            name: 'Status',
            isState: true,
            cell: (row) => <Pill isOn={row.is_active}>{stateOf(row)}</Pill>,
          },
          { name: 'Reports', cell: ({ open_reports }) => open_reports, isFigure: true },
          { name: 'Visits', cell: ({ visit_count }) => visit_count, isFigure: true },
          { name: 'Tips', cell: ({ tip_count }) => tip_count, isFigure: true },
          {
            name: 'Added',
            orders: { down: '', up: 'oldest' },
            cell: ({ created_at }) => <Time at={created_at} />,
          },
        ]}
        actions={(row) => (
          <>
            {row.merged_into === null && (
              <RowAction
                word={row.is_active ? 'Hide' : 'Show'}
                about={row.is_active ? row.name : `${row.name} again`}
                onClick={() => show({ place: row, is_active: !row.is_active })}
                Icon={row.is_active ? EyeOff : Eye}
              />
            )}
            <RowAction
              word="Review"
              about={row.name}
              Icon={FolderSearch}
              onClick={() => open('review', row.id)}
            />
          </>
        )}
      />
      <Modal open={opened === 'review' && id !== null} onClose={close} title="Review place">
        {id !== null && (
          <PlaceReview key={id} id={id} onEdit={() => open('edit-place', id)} onDone={close} />
        )}
      </Modal>
      <RowModal
        title="Edit place"
        id={opened === 'edit-place' ? id : null}
        onClose={close}
        queryKey={['locations', 'edited']}
        ask={(which) => call(getAdminLocation, { params: { id: which } })}
        waiting="Loading place…"
      >
        {({ location }) => <PlaceEditForm place={location} onDone={close} />}
      </RowModal>
    </Card>
  );
}
