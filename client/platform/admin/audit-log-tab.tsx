import { auditLog, type AuditEntry } from '#shared/admin/contract.ts';
import { formatDate } from '#shared/dates.ts';
import { Card } from '../ui/layout/card.tsx';
import { Summary } from '../ui/layout/summary.tsx';
import { Time } from '../ui/layout/time.tsx';
import {
  actWords,
  changedFields,
  fieldWords,
  plainWords,
  subjectWords,
  valueWords,
} from './audit-words.ts';
import { DataTable } from './list/data-table.tsx';
import { control, order } from './list/list-filters.ts';
import { LongText } from './list/long-text.tsx';
import { useAdminList } from './list/use-admin-list.ts';

const LIST = {
  key: 'audit-log',
  from: auditLog,
  search: 'Search by subject ID, or a person’s name or email',
  controls: [order({ oldest: 'Oldest first' })],
  free: ['subject_kind', 'subject_id', 'admin_user_id', 'act'],
} as const;

/** Number of fields shown before 'more'. */
const SHOWN = 3;

/** The fields that an action changed. */
function Changes({ entry }: { entry: AuditEntry }) {
  const { reason, voids } = entry;
  if (voids) return <p>The previous action failed.</p>;
  const fields = changedFields(entry);
  return (
    <>
      {reason && <p className="italic">“{reason}”</p>}
      <FieldList fields={fields.slice(0, SHOWN)} entry={entry} />
      {fields.length > SHOWN && (
        <details>
          <Summary className="text-sm font-bold text-accent">{fields.length - SHOWN} more</Summary>
          <FieldList fields={fields.slice(SHOWN)} entry={entry} />
        </details>
      )}
    </>
  );
}

function FieldList({
  fields,
  entry: { before, after, value_names },
}: {
  fields: string[];
  entry: AuditEntry;
}) {
  const words = (field: string, value: unknown) =>
    (typeof value === 'string' && value_names[value]) || valueWords(value, field);
  return (
    <ul className="flex flex-col gap-0.5">
      {fields.map((field) => (
        <li key={field} className="line-clamp-4 text-sm break-words">
          <b>{fieldWords(field)}</b>:{' '}
          {before && after
            ? `${words(field, before[field])} → ${words(field, after[field])}`
            : words(field, (after ?? before)?.[field])}
        </li>
      ))}
    </ul>
  );
}

/** The audit log of admin actions. */
export default function AuditLogTab() {
  const list = useAdminList(LIST);
  const { admins = [], kinds = [] } = list.asked.data ?? {};
  // The answer lists the admins and subjects that have entries.
  const controls = [
    control(
      'admin_user_id',
      'Admin',
      'All',
      Object.fromEntries(admins.map(({ id, email }) => [id, email])),
    ),
    control(
      'subject_kind',
      'About',
      'All',
      Object.fromEntries(kinds.map((kind) => [kind, plainWords(kind)])),
    ),
    ...list.controls,
  ];
  return (
    <Card title="Audit Log" isNamedAbove>
      <p className="mb-2 text-soft sm:mb-4">
        Everything admins changed, as recorded at the time. Entries can’t be changed or removed.
      </p>
      <DataTable
        label="Audit log"
        list={{ ...list, controls }}
        rowsOf={({ entries }) => entries}
        nameOf={actWords}
        empty="No entries yet"
        noMatch="No entries match your filters"
        columns={[
          { name: 'Action', cell: actWords },
          {
            name: 'Subject',
            isPlain: true,
            brief: (entry) => subjectWords(entry) ?? entry.subject_id,
            cell: (entry) => (
              <button
                type="button"
                onClick={() => list.address.choose('subject_id', entry.subject_id)}
                className="min-h-11 max-w-full truncate text-left xl:max-w-56 text-accent underline-offset-4 hover:underline"
                title={`All entries for ${entry.subject_id}`}
              >
                {subjectWords(entry) ?? entry.subject_id}
              </button>
            ),
          },
          { name: 'Changes', brief: null, cell: (entry) => <Changes entry={entry} /> },
          {
            name: 'Admin',
            isPlain: true,
            brief: (entry) => entry.admin_email ?? 'Deleted account',
            cell: (entry) => <LongText>{entry.admin_email ?? 'Deleted account'}</LongText>,
          },
          {
            name: 'When',
            orders: { down: '', up: 'oldest' },
            isPlain: true,
            brief: (entry) => <Time at={entry.at} format={formatDate} />,
            cell: (entry) => <Time at={entry.at} />,
          },
        ]}
      />
    </Card>
  );
}
