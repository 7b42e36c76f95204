import { Gavel, RotateCcw, Trash2, UsersRound } from 'lucide-react';
import { useState } from 'react';
import {
  changeAdminHazard,
  changeAdminHazards,
  exportAdminHazards,
  listAdminHazards,
  sanctionHazardAuthor,
  type AdminHazard,
} from '#shared/hazards/admin-contract.ts';
import { HAZARD_NAMES } from '#shared/hazards/rules.ts';
import { getAdminPicture } from '#shared/moderation/people-contract.ts';
import { DataTable } from '../../platform/admin/list/data-table.tsx';
import { control, order } from '../../platform/admin/list/list-filters.ts';
import { RowAction } from '../../platform/admin/list/row-action.tsx';
import { useAdminList } from '../../platform/admin/list/use-admin-list.ts';
import { useRowActions, type RowKind } from '../../platform/admin/list/use-row-actions.ts';
import { Pill } from '../../platform/admin/pill.tsx';
import { pathOf } from '../../platform/http/api-client.ts';
import { call } from '../../platform/http/api.ts';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';
import { useNow } from '../../platform/use-now.ts';
import { AdminPicture } from '../moderation/admin/admin-picture.tsx';
import { SanctionForm } from '../moderation/people/issue-sanction-form.tsx';

const LIST = {
  key: 'hazards',
  from: listAdminHazards,
  exported: exportAdminHazards,
  search: 'Search by kind, dog or description',
  controls: [
    control('status', 'Status', 'All', {
      shown: 'Shown',
      hidden: 'Hidden by members',
      removed: 'Removed',
      expired: 'Expired',
    }),
    control('kind', 'Kind', 'All kinds', HAZARD_NAMES),
    order({ oldest: 'Oldest first' }),
  ],
  free: ['same_author_as'],
} as const;

const nameOf = ({ kind, dog_name, description }: AdminHazard): string =>
  [HAZARD_NAMES[kind], dog_name, description].filter(Boolean).join(': ');

const HAZARDS: RowKind<AdminHazard, 'remove' | 'restore'> = {
  list: LIST.key,
  nameOf,
  isOn: ({ is_removed, is_hidden }) => !is_removed && !is_hidden,
  on: 'shown again',
  off: 'removed',
  switchTo: ({ id }, isShown) =>
    call(changeAdminHazard, { params: { id }, body: { is_removed: !isShown } }),
  change: (action, items) =>
    call(changeAdminHazards, { body: { items, is_removed: action === 'remove' } }),
  acts: [
    {
      action: 'remove',
      undo: 'restore',
      name: 'Remove',
      done: 'Removed',
      isDestructive: true,
      effect: ({ is_removed }) => (is_removed ? null : 'Shown → Removed'),
    },
    {
      action: 'restore',
      undo: 'remove',
      name: 'Restore',
      done: 'Restored',
      effect: ({ is_removed, is_hidden }) =>
        is_removed ? 'Removed → Shown' : is_hidden ? 'Hidden → Shown' : null,
    },
  ],
};

function stateOf({ is_removed, is_hidden, expires_at }: AdminHazard, now: number): string {
  if (is_removed) return 'Removed';
  if (Date.parse(expires_at) <= now) return 'Expired';
  return is_hidden ? 'Hidden by members' : 'Shown';
}

/** What members see of a hazard, also while reports hide it from them. */
function Content({ hazard }: { hazard: AdminHazard }) {
  const { kind, dog_name, description, contact, image_key } = hazard;
  return (
    <>
      <span className="block">
        {dog_name === null ? HAZARD_NAMES[kind] : `${HAZARD_NAMES[kind]}: ${dog_name}`}
      </span>
      <span className="block text-sm font-normal break-words text-soft">
        {description && <span className="block">{description}</span>}
        {contact !== null && <span className="block">Contact: {contact}</span>}
      </span>
      {image_key !== null && (
        <a
          href={pathOf(getAdminPicture, { id: image_key })}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`Photo of ${nameOf(hazard)}`}
          className="mt-1 inline-block rounded-control"
        >
          <AdminPicture id={image_key} className="size-16" />
        </a>
      )}
    </>
  );
}

/** The admin list of hazards and lost dogs that members reported. */
export default function HazardsTab() {
  const list = useAdminList(LIST);
  const now = useNow();
  const { toggle, bulk } = useRowActions(HAZARDS);
  const [warned, setWarned] = useState<AdminHazard | null>(null);
  return (
    <Card title="Hazards and Lost Dogs" isNamedAbove>
      <p className="mb-2 text-soft sm:mb-4">
        Authors are anonymous, for you too. You can list an author’s other hazards, and warn them.
      </p>
      <DataTable
        label="Hazards"
        list={list}
        rowsOf={({ hazards }) => hazards}
        nameOf={nameOf}
        empty="No hazards or lost dogs have been reported"
        noMatch="No hazards match your filters"
        bulk={bulk}
        columns={[
          {
            name: 'Hazard',
            cell: (row) => <Content hazard={row} />,
          },
          {
            name: 'Status',
            isState: true,
            cell: (row) => {
              const state = stateOf(row, now);
              return <Pill isOn={state === 'Shown'}>{state}</Pill>;
            },
          },
          {
            name: 'Where',
            cell: ({ near }) => near ?? 'No town near',
          },
          {
            name: 'Votes',
            cell: ({ confirmed_count, denied_count, report_count }) => (
              <>
                <span className="block whitespace-nowrap">{confirmed_count} confirmed</span>
                <span className="block whitespace-nowrap">{denied_count} denied</span>
                {report_count > 0 && (
                  <span className="block font-bold whitespace-nowrap">
                    {report_count} {report_count === 1 ? 'report' : 'reports'}
                  </span>
                )}
              </>
            ),
          },
          {
            name: 'When',
            orders: { down: '', up: 'oldest' },
            cell: ({ reported_at, expires_at }) => (
              <>
                <span className="block whitespace-nowrap">
                  <Time at={reported_at} />
                </span>
                <span className="block text-sm whitespace-nowrap text-soft">
                  until <Time at={expires_at} />
                </span>
              </>
            ),
          },
        ]}
        actions={(row) => (
          <>
            <RowAction
              word="Other hazards"
              about={`by the author of ${nameOf(row)}`}
              Icon={UsersRound}
              onClick={() => list.address.choose('same_author_as', row.id)}
            />
            <RowAction
              word="Warn"
              about={`the author of ${nameOf(row)}`}
              Icon={Gavel}
              isNamed
              onClick={() => setWarned(row)}
            />
            <RowAction
              word={HAZARDS.isOn(row) ? 'Remove' : 'Restore'}
              about={nameOf(row)}
              Icon={HAZARDS.isOn(row) ? Trash2 : RotateCcw}
              onClick={() => void toggle(row)}
            />
          </>
        )}
      />
      <Modal
        open={warned !== null}
        onClose={() => setWarned(null)}
        title="Warn the author of a hazard"
      >
        {warned && (
          <SanctionForm
            issue={(body, keyFor) =>
              call(sanctionHazardAuthor, {
                params: { id: warned.id },
                body,
                idempotencyKey: keyFor({ id: warned.id, ...body }),
              })
            }
            onDone={() => setWarned(null)}
          />
        )}
      </Modal>
    </Card>
  );
}
