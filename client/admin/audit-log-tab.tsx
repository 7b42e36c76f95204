import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { auditLog, type AuditEntry } from '#shared/admin/contract.ts';
import { call } from '../api.ts';
import { Card } from '../ui/card.tsx';
import { DataTable } from './data-table.tsx';
import { useListAddress } from './use-list-address.ts';
import { momentWords } from './words.ts';

const CHOICES = {
  sort: ['newest', 'oldest'],
  subject_kind: null,
  subject_id: null,
  admin_user_id: null,
  act: null,
} as const;

/** `access-code` as people say it. */
const plainWords = (name: string) => {
  const words = name.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

const actWords = ({ act, voids }: AuditEntry) => {
  const [kind = '', deed = ''] = act.split('.');
  const words = plainWords(`${deed} ${kind}`);
  return voids ? `Not done: ${words}` : words;
};

const valueWords = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? 'nothing'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

/** So many fields are shown at once. */
const SHOWN = 3;

/** What an act changed, field by field. */
function Changes({ entry }: { entry: AuditEntry }) {
  const { before, after, reason, voids } = entry;
  if (voids) return <p>The act before it failed.</p>;
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <>
      {reason && <p className="italic">“{reason}”</p>}
      <FieldList fields={fields.slice(0, SHOWN)} entry={entry} />
      {fields.length > SHOWN && (
        <details>
          <summary className="flex min-h-11 cursor-pointer items-center text-sm font-semibold text-accent">
            {fields.length - SHOWN} more
          </summary>
          <FieldList fields={fields.slice(SHOWN)} entry={entry} />
        </details>
      )}
    </>
  );
}

function FieldList({ fields, entry: { before, after } }: { fields: string[]; entry: AuditEntry }) {
  return (
    <ul className="flex flex-col gap-0.5">
      {fields.map((field) => (
        <li key={field} className="line-clamp-4 text-sm break-words">
          <b>{field}</b>:{' '}
          {before && after
            ? `${valueWords(before[field])} → ${valueWords(after[field])}`
            : valueWords((after ?? before)?.[field])}
        </li>
      ))}
    </ul>
  );
}

/** Who did what. */
export default function AuditLogTab() {
  const address = useListAddress(CHOICES);
  const { query } = address;
  const asked = useQuery({
    queryKey: ['admin', 'audit-log', query],
    queryFn: () => call(auditLog, { query }),
    placeholderData: keepPreviousData,
    // It is opened to see what was just done.
    staleTime: 0,
  });
  const { entries, admins = [], kinds = [] } = asked.data ?? {};
  return (
    <Card title="Audit Log">
      <p className="mb-4 text-soft">
        Everything that admins changed, as it was noted when it was done. Nobody can change or
        remove an entry.
      </p>
      <DataTable
        label="Audit log"
        asked={asked}
        rows={entries}
        address={address}
        idOf={(entry) => entry.id}
        nameOf={actWords}
        empty="Nothing has been done yet"
        noMatch="No acts match your filters"
        failure={auditLog.failure}
        controls={[
          {
            name: 'admin_user_id',
            label: 'Admin',
            options: [
              { value: '', name: 'Everybody' },
              ...admins.map(({ id, email }) => ({ value: id, name: email })),
            ],
          },
          {
            name: 'subject_kind',
            label: 'About',
            options: [
              { value: '', name: 'Everything' },
              ...kinds.map((kind) => ({ value: kind, name: plainWords(kind) })),
            ],
          },
          {
            name: 'sort',
            label: 'Order',
            options: [
              { value: '', name: 'Newest first' },
              { value: 'oldest', name: 'Oldest first' },
            ],
          },
        ]}
        columns={[
          { name: 'Act', cell: actWords },
          {
            name: 'Subject',
            cell: (entry) => (
              <button
                type="button"
                onClick={() => address.choose('subject_id', entry.subject_id)}
                className="min-h-11 max-w-48 truncate text-left text-accent underline-offset-4 hover:underline"
                title={`All acts on ${entry.subject_id}`}
              >
                {entry.subject_id}
              </button>
            ),
          },
          { name: 'Changes', cell: (entry) => <Changes entry={entry} /> },
          { name: 'Admin', cell: (entry) => entry.admin_email ?? 'Deleted account' },
          { name: 'When', cell: (entry) => momentWords(entry.at) },
        ]}
      />
    </Card>
  );
}
