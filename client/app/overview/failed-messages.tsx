import { capitalized } from '#shared/capitalized.ts';
import { listFailedMessages, type FailedMessage } from '#shared/overview/contract.ts';
import { DataTable } from '../../platform/admin/list/data-table.tsx';
import { control, order } from '../../platform/admin/list/list-filters.ts';
import { useAdminList } from '../../platform/admin/list/use-admin-list.ts';
import { Card } from '../../platform/ui/layout/card.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';

const CHANNELS = { email: 'Email', sms: 'Text message' };

const LIST = {
  key: 'failed-messages',
  from: listFailedMessages,
  search: 'Search by cause',
  controls: [
    control('channel', 'Channel', 'All', CHANNELS),
    control('since', 'When', 'All', { recently: 'The last 7 days' }),
    order({ oldest: 'Oldest first' }),
  ],
} as const;

/** The kind of row that caused a message, such as 'Ad payments'. */
const causeOf = ({ id }: FailedMessage): string =>
  capitalized(id.split(/[/ ]/)[0]?.replaceAll('_', ' ') ?? '');

/** The list of emails and text messages that could not be delivered. */
export function FailedMessages() {
  const list = useAdminList(LIST);
  return (
    <Card title="Failed messages">
      <p className="mb-2 text-soft sm:mb-4">Their recipients and texts are deleted.</p>
      <DataTable
        label="Failed messages"
        list={list}
        rowsOf={({ messages }) => messages}
        nameOf={(row) => `${CHANNELS[row.channel]}, ${causeOf(row)}`}
        empty="No failed messages"
        noMatch="No failed messages match your filters"
        columns={[
          {
            name: 'Cause',
            cell: (row) => (
              <>
                <span className="block">{causeOf(row)}</span>
                <span className="block text-sm font-normal break-all text-soft">{row.id}</span>
              </>
            ),
          },
          { name: 'Channel', cell: (row) => CHANNELS[row.channel] },
          { name: 'Error', cell: (row) => row.error_code ?? 'None given' },
          { name: 'Attempts', cell: (row) => row.attempts, isFigure: true },
          { name: 'Created', cell: (row) => <Time at={row.created_at} /> },
          {
            name: 'Failed',
            orders: { down: '', up: 'oldest' },
            cell: (row) => <Time at={row.failed_at} />,
          },
        ]}
      />
    </Card>
  );
}
