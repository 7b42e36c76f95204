import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { toast } from 'sonner';
import {
  liftWarning,
  listAllWarnings,
  type AdminWarning,
} from '#shared/moderation/admin-contract.ts';
import { isInForce } from '#shared/moderation/rules.ts';
import { waitWords } from '../../../platform/admin/format.ts';
import { DataTable } from '../../../platform/admin/list/data-table.tsx';
import { control, order } from '../../../platform/admin/list/list-filters.ts';
import { RowAction } from '../../../platform/admin/list/row-action.tsx';
import { useAdminList } from '../../../platform/admin/list/use-admin-list.ts';
import { useLatestRow } from '../../../platform/admin/list/use-latest-row.ts';
import { Pill } from '../../../platform/admin/pill.tsx';
import { toastError } from '../../../platform/admin/toast-error.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { ConfirmDialog } from '../../../platform/ui/dialogs/confirm-dialog.tsx';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../../platform/ui/dialogs/use-dialog-param.ts';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { useNow } from '../../../platform/use-now.ts';
import { OpenPerson } from '../people/open-person.tsx';
import { ANSWERING } from '../workspace/appeal-workspace.tsx';
import { APPEALS, WARNING_SEVERITIES, WARNING_TYPES } from './labels.ts';
import { NoticeForm } from './notice-form.tsx';
import { personOf } from './person-of.ts';

const LIST = {
  key: 'user-warnings',
  from: listAllWarnings,
  search: 'Search by name, email or user ID',
  controls: [
    control('appeal', 'Appeal', 'All', APPEALS),
    control('notice', 'Law enforcement notice', 'All', { due: 'To send' }),
    order({ oldest: 'Oldest first' }),
  ],
  free: ['user_id'],
} as const;

const refresh = () => void queries.invalidateQueries({ queryKey: ['admin', 'user-warnings'] });

/** The list of sanctions and appeals. */
export function WarningsList() {
  const list = useAdminList(LIST);
  const { opened, id, open, close } = useDialogParam();
  const [, setSearch] = useSearchParams();
  const [lifting, setLifting] = useState<AdminWarning | null>(null);
  const now = useNow();
  const noticing = useLatestRow(list.asked.data?.warnings, opened === 'notice' ? id : null);

  async function lift({ id: which, version }: AdminWarning) {
    try {
      await call(liftWarning, { params: { id: which }, body: { version } });
      toast.success('Revoked');
    } catch (error) {
      toastError(error);
    }
    refresh();
  }

  return (
    <Card title="Warnings and appeals" isNamedAbove>
      <p role="status" className="mb-2 text-soft sm:mb-4">
        {waitWords(list.asked.data?.pending_appeals, 'appeal', 'answer')}
      </p>
      <DataTable
        label="Warnings"
        list={list}
        rowsOf={({ warnings }) => warnings}
        nameOf={(row) => `${WARNING_TYPES[row.warning_type]}, ${personOf(row)}`}
        empty="No warnings yet"
        noMatch="No warnings match your filters"
        columns={[
          {
            name: 'Person',
            cell: (row) => (
              <>
                <span className="block">{personOf(row)}</span>
                <span className="line-clamp-2 text-sm font-normal break-words text-soft">
                  {row.reason}
                </span>
                {row.notice && (
                  <span className="block text-sm font-normal break-words text-soft">
                    <span>
                      {row.notice.authority} was notified on {row.notice.sent_on}
                    </span>
                    {row.notice.reference && <span>{`, reference ${row.notice.reference}`}</span>}
                  </span>
                )}
              </>
            ),
          },
          {
            name: 'Sanction',
            cell: (row) =>
              `${WARNING_TYPES[row.warning_type]} (${WARNING_SEVERITIES[row.severity].toLowerCase()})`,
          },
          { name: 'Status', isState: true, cell: (row) => <State warning={row} now={now} /> },
          {
            name: 'Until',
            cell: (row) => (row.expires_at ? <Time at={row.expires_at} /> : 'Permanent'),
          },
          { name: 'Seen', cell: (row) => (row.is_acknowledged ? 'Yes' : 'No') },
        ]}
        actions={(row) => (
          <>
            {row.appeal?.status === 'pending' && (
              <RowAction
                word="Answer"
                about={`the appeal of ${personOf(row)}`}
                isDue
                onClick={() =>
                  setSearch({ tab: 'moderation', part: 'appeals', [ANSWERING]: row.id })
                }
              />
            )}
            {row.is_notice_due && (
              <RowAction
                word="Record notice"
                about={`to law enforcement about ${personOf(row)}`}
                isDue
                onClick={() => open('notice', row.id)}
              />
            )}
            <OpenPerson person={row.user} />
            {isInForce(row, now) && (
              <RowAction
                word="Revoke"
                about={`the sanction of ${personOf(row)}`}
                onClick={() => setLifting(row)}
              />
            )}
          </>
        )}
      />
      <Modal open={noticing !== undefined} onClose={close} title="Law enforcement notice">
        {noticing && <NoticeForm key={noticing.id} warning={noticing} onDone={close} />}
      </Modal>
      <ConfirmDialog
        isHarmless
        open={lifting !== null}
        title="Revoke this sanction?"
        description={`${lifting?.user.name ?? 'This person'} will no longer be restricted by it.${
          lifting?.appeal?.status === 'pending' ? ' This grants their appeal.' : ''
        }`}
        yes="Revoke"
        onYes={() => lifting && void lift(lifting)}
        onClose={() => setLifting(null)}
      />
    </Card>
  );
}

function State({ warning, now }: { warning: AdminWarning; now: number }) {
  const { appeal, lifted_at } = warning;
  if (appeal?.status === 'pending') return <Pill>Appealed</Pill>;
  if (lifted_at) return <Pill>Revoked</Pill>;
  return isInForce(warning, now) ? <Pill isOn>Active</Pill> : <Pill>Expired</Pill>;
}
