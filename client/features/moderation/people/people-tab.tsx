import { formatCalendarDate, formatDate } from '#shared/dates.ts';
import { findPeople, PEOPLE_MAX, type ListedPerson } from '#shared/moderation/people-contract.ts';
import { DataTable } from '../../../platform/admin/list/data-table.tsx';
import { control, order } from '../../../platform/admin/list/list-filters.ts';
import { LongText } from '../../../platform/admin/list/long-text.tsx';
import { useAdminList } from '../../../platform/admin/list/use-admin-list.ts';
import { Pill } from '../../../platform/admin/pill.tsx';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { useNow } from '../../../platform/use-now.ts';
import { OpenPerson } from './open-person.tsx';
import { PersonDialog } from './person-dialog.tsx';

const LIST = {
  key: 'people',
  from: findPeople,
  search: 'Search by name, email or user ID',
  controls: [
    control('status', 'Status', 'All', {
      restricted: 'Restricted',
      suspended: 'Suspended',
      admin: 'Administrators',
    }),
    order({ oldest: 'Oldest first' }),
  ],
} as const;

/** The directory of people: every account, with a search. */
export default function PeopleTab() {
  const list = useAdminList(LIST);
  const now = useNow();
  return (
    <Card title="People" isNamedAbove>
      <p className="mb-2 text-soft sm:mb-4">Opening a person is recorded in the audit log.</p>
      <DataTable
        label="All people"
        list={list}
        rowsOf={({ people }) => people.map((person) => ({ ...person, id: person.user_id }))}
        nameOf={({ name }) => name}
        empty="No people yet"
        noMatch="No people match your search"
        columns={[
          {
            name: 'Person',
            // Tells two of the same name apart.
            brief: ({ email }) => email,
            cell: ({ name, email }) => (
              <>
                <span className="block break-words">{name}</span>
                <span className="block text-sm font-normal text-soft">
                  <LongText>{email}</LongText>
                </span>
              </>
            ),
          },
          { name: 'Status', isState: true, cell: (row) => <Status person={row} now={now} /> },
          {
            name: 'Joined',
            orders: { down: '', up: 'oldest' },
            cell: ({ joined_at }) => formatDate(joined_at),
          },
          {
            name: 'Last seen',
            cell: ({ last_seen_on: day }) => (day ? formatCalendarDate(day) : 'Signed out'),
          },
          { name: 'Sanctions', cell: ({ sanctions }) => sanctions, isFigure: true },
        ]}
        actions={(row) => <OpenPerson person={row} />}
      />
      {list.address.query['search'] && list.asked.data?.has_more && (
        <p role="status" className="mt-2 text-soft">
          Showing the first {PEOPLE_MAX}. Type more of the name to narrow the results.
        </p>
      )}
      <PersonDialog />
    </Card>
  );
}

function Status({ person, now }: { person: ListedPerson; now: number }) {
  const isAhead = (at: string | null) => at !== null && Date.parse(at) > now;
  if (person.is_admin) return <Pill isOn>Administrator</Pill>;
  if (isAhead(person.suspended_until)) return <Pill>Suspended</Pill>;
  if (isAhead(person.restricted_until)) return <Pill>Restricted</Pill>;
  return isAhead(person.access_expires_at) ? <Pill isOn>Member</Pill> : <Pill>No access</Pill>;
}
