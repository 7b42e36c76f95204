import { CircleCheck, CircleX, Clock, Eye } from 'lucide-react';
import { listReports } from '#shared/moderation/admin-contract.ts';
import type { ReportStatus } from '#shared/moderation/contract.ts';
import { countWords } from '../../../platform/admin/format.ts';
import { DataTable } from '../../../platform/admin/list/data-table.tsx';
import { control, order } from '../../../platform/admin/list/list-filters.ts';
import { RowAction } from '../../../platform/admin/list/row-action.tsx';
import { useAdminList } from '../../../platform/admin/list/use-admin-list.ts';
import { Pill } from '../../../platform/admin/pill.tsx';
import { StatCards } from '../../../platform/admin/stat-cards.tsx';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { useOpenReport } from '../workspace/open-report.ts';
import { REPORT_STATUSES, REPORT_SUBJECTS, REPORT_TYPES, reporterName } from './labels.ts';

const LIST = {
  key: 'message-reports',
  from: listReports,
  search: 'Search by name, email or user ID',
  controls: [
    control('status', 'Status', 'All', REPORT_STATUSES),
    control('subject_type', 'Kind', 'All', REPORT_SUBJECTS),
    control('report_type', 'About', 'All', REPORT_TYPES),
    order({ oldest: 'Oldest first' }),
  ],
  free: ['reported_user_id'],
} as const;

/** The queue of reports. */
export function ReportQueue() {
  const list = useAdminList(LIST);
  const open = useOpenReport();
  const counts = list.asked.data?.counts;
  const count = (status: ReportStatus) => counts && countWords(counts[status]);
  return (
    <div className="flex flex-col gap-2 sm:gap-4">
      <StatCards
        label="Reports by status"
        stats={[
          { name: 'Pending', value: count('pending'), Icon: Clock },
          { name: 'Reviewed', value: count('reviewed'), Icon: Eye },
          { name: 'Resolved', value: count('resolved'), Icon: CircleCheck },
          { name: 'Dismissed', value: count('dismissed'), Icon: CircleX },
        ]}
      />
      <Card title="All reports" isNamedAbove>
        <DataTable
          label="Reports"
          list={list}
          rowsOf={({ reports }) => reports}
          nameOf={(row) =>
            `${REPORT_TYPES[row.report_type]}, ${row.reported.name ?? 'deleted account'}`
          }
          empty="No reports yet"
          noMatch="No reports match your filters"
          columns={[
            {
              name: 'Report',
              cell: (row) => (
                <>
                  <span className="block">
                    <span>{REPORT_SUBJECTS[row.subject_type]}</span>
                    {row.subject_type !== 'account' && (
                      <span>{`: ${REPORT_TYPES[row.report_type]}`}</span>
                    )}
                  </span>
                  <span className="line-clamp-2 text-sm font-normal break-words text-soft">
                    {row.description}
                  </span>
                </>
              ),
            },
            { name: 'About', cell: (row) => row.reported.name ?? 'Deleted account' },
            { name: 'By', cell: (row) => reporterName(row) },
            {
              name: 'Status',
              isState: true,
              cell: (row) => (
                <Pill isOn={row.status === 'resolved'}>{REPORT_STATUSES[row.status]}</Pill>
              ),
            },
            {
              name: 'When',
              orders: { down: '', up: 'oldest' },
              cell: (row) => <Time at={row.created_at} />,
            },
          ]}
          actions={(row) => (
            <RowAction
              word="Open"
              about={`the report about ${row.reported.name ?? 'a deleted account'}`}
              onClick={() => open(row.id)}
            />
          )}
        />
      </Card>
    </div>
  );
}
