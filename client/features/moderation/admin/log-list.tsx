import { useState } from 'react';
import { toast } from 'sonner';
import {
  listLog,
  reviewMessage,
  type LogEntry,
  type Review,
} from '#shared/moderation/rules-contract.ts';
import { waitWords } from '../../../platform/admin/format.ts';
import { DataTable } from '../../../platform/admin/list/data-table.tsx';
import { control, order } from '../../../platform/admin/list/list-filters.ts';
import { RowAction } from '../../../platform/admin/list/row-action.tsx';
import { useAdminList } from '../../../platform/admin/list/use-admin-list.ts';
import { Pill } from '../../../platform/admin/pill.tsx';
import { toastError } from '../../../platform/admin/toast-error.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { ConfirmDialog } from '../../../platform/ui/dialogs/confirm-dialog.tsx';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { IssueForm } from '../people/issue-sanction-form.tsx';
import { OpenPerson } from '../people/open-person.tsx';
import { ACTIONS_TAKEN, CONTENT_TYPES, SEVERITIES, WARNING_TYPES } from './labels.ts';

const REVIEWS = { pending: 'Needs review', released: 'Released', removed: 'Removed' };

const LIST = {
  key: 'moderation-log',
  from: listLog,
  search: 'Search by name, email or user ID',
  controls: [
    control('action_taken', 'Action', 'All', ACTIONS_TAKEN),
    control('review', 'Review', 'All', REVIEWS),
    order({ oldest: 'Oldest first' }),
  ],
  free: ['user_id'],
} as const;

/** Advertisers and charities have no account and are shown as visitors. */
const authorName = ({ user }: LogEntry): string =>
  user.name ?? (user.user_id === '' ? 'Visitor' : 'Deleted account');

const reasonText = ({ rule_triggered, moderation_type, severity }: LogEntry): string => {
  if (rule_triggered) return `${rule_triggered} (${severity ? SEVERITIES[severity] : ''})`;
  return moderation_type === 'report' ? 'Report' : 'Moderator';
};

const actionText = ({ warning_type, action_taken }: LogEntry): string =>
  warning_type ? `${WARNING_TYPES[warning_type]} sent` : ACTIONS_TAKEN[action_taken];

/** The moderation log; held messages are reviewed here. */
export function LogList() {
  const list = useAdminList(LIST);
  const [warned, setWarned] = useState<LogEntry | null>(null);
  const [removing, setRemoving] = useState<LogEntry | null>(null);

  async function review({ id }: LogEntry, decision: Review) {
    try {
      await call(reviewMessage, { params: { id }, body: { decision } });
      toast.success(REVIEWS[decision]);
    } catch (error) {
      toastError(error);
    }
    void queries.invalidateQueries({ queryKey: ['admin', 'moderation-log'] });
  }

  return (
    <Card title="Moderation log" isNamedAbove>
      <p role="status" className="mb-2 text-soft sm:mb-4">
        {waitWords(list.asked.data?.pending_reviews, 'message', 'review')}
      </p>
      <DataTable
        label="Log entries"
        list={list}
        rowsOf={({ entries }) => entries}
        nameOf={(row) => `${actionText(row)}, ${row.user.name ?? 'deleted account'}`}
        empty="No entries yet"
        noMatch="No entries match your filters"
        columns={[
          {
            name: 'Text',
            // Text that needs review is shown in full.
            cell: ({ flagged_content, reason, content_type, review }) => (
              <>
                {(flagged_content ?? reason) ? (
                  <span className={`break-words ${review === 'pending' ? '' : 'line-clamp-3'}`}>
                    {flagged_content ?? `Reason: ${reason}`}
                  </span>
                ) : (
                  <span className="font-normal text-soft">No text</span>
                )}
                {content_type && (
                  <span className="block text-sm font-normal text-soft">
                    {CONTENT_TYPES[content_type]}
                  </span>
                )}
              </>
            ),
          },
          { name: 'By', cell: (row) => authorName(row) },
          { name: 'Why', cell: reasonText },
          {
            name: 'Action',
            isState: true,
            cell: (row) => (
              <Pill isOn={row.review === 'pending'}>
                {row.review ? REVIEWS[row.review] : actionText(row)}
              </Pill>
            ),
          },
          {
            name: 'When',
            orders: { down: '', up: 'oldest' },
            cell: (row) => <Time at={row.created_at} />,
          },
        ]}
        actions={(row) => (
          <>
            {row.review === 'pending' && (
              <>
                <RowAction
                  word="Release"
                  about={`the text by ${authorName(row)}`}
                  isDue
                  onClick={() => void review(row, 'released')}
                />
                <RowAction
                  word="Remove"
                  about={`the text by ${authorName(row)}`}
                  isDue
                  onClick={() => setRemoving(row)}
                />
              </>
            )}
            <OpenPerson person={row.user} />
            {row.moderation_type === 'rule' && row.user.name !== null && (
              <RowAction word="Warn" about={row.user.name} onClick={() => setWarned(row)} />
            )}
          </>
        )}
      />
      <ConfirmDialog
        open={removing !== null}
        title="Remove this message?"
        description={`“${removing?.flagged_content ?? ''}” will be permanently deleted for both people.`}
        yes="Remove"
        onYes={() => removing && void review(removing, 'removed')}
        onClose={() => setRemoving(null)}
      />
      <Modal
        open={warned !== null}
        onClose={() => setWarned(null)}
        title={`Warn ${warned?.user.name ?? ''}`}
      >
        {warned && <IssueForm userId={warned.user.user_id} onDone={() => setWarned(null)} />}
      </Modal>
    </Card>
  );
}
