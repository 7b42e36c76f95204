import type { Db } from 'mongodb';
import { adminCheck, auditLog, type AuditEntry } from '#shared/admin/contract.ts';
import { serve } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';
import { users } from '../session/collections.ts';
import { auditLog as auditRows, type AuditRow } from './collections.ts';
import { readPage } from './keyset-pagination.ts';
import { omitUndefined } from './omit-undefined.ts';
import { adminActionData } from './personal-data.ts';
import { mountSaved } from './saved.ts';

/** Returns names by `<kind> <id>`; subjects without a name are missing. */
export type SubjectNames = (
  db: Db,
  subjects: readonly { subject_kind: string; subject_id: string }[],
) => Promise<Map<string, string>>;

/**
 * The admin check and the audit log.
 * @param idsOfSearch finds what admins mean by a text: people by id, name or email
 * @param namesOfSubjects finds the names of what was changed
 */
export function mountAdmin(
  api: Api,
  idsOfSearch: (db: Db, text: string) => Promise<string[]>,
  namesOfSubjects: SubjectNames,
): void {
  const { db, personalData } = api.services;
  personalData.add(adminActionData(api.services));
  mountSaved(api);

  serve(api, adminCheck, async ({ caller: { user } }) => ({
    isAdmin: user.is_admin,
    email: user.email,
  }));

  serve(api, auditLog, async ({ query }) => {
    const { cursor, limit, sort, search, ...filters } = query;
    const { rows, paged } = await readPage(auditRows(db), {
      filter: {
        ...omitUndefined(filters),
        ...(search && { subject_id: { $in: await idsOfSearch(db, search) } }),
      },
      orders: { newest: ['at', -1], oldest: ['at', 1] },
      query: { cursor, limit, sort },
    });
    const admins = await users(db).find({ is_admin: true }).sort({ email: 1 }).toArray();
    return {
      entries: await presentAuditEntries(db, rows, namesOfSubjects),
      admins: admins.map(({ _id, email }) => ({ id: _id, email })),
      kinds: await auditRows(db).distinct('subject_kind'),
      ...paged,
    };
  });
}

/** The ids of people among the values of an entry. */
const peopleIn = ({ before, after }: Pick<AuditRow, 'before' | 'after'>): string[] =>
  [before, after].flatMap((values) =>
    Object.entries(values ?? {}).flatMap(([field, value]) =>
      field.endsWith('user_id') && typeof value === 'string' ? [value] : [],
    ),
  );

/** Converts rows of the audit log for admins, with the admins’ email addresses. */
export async function presentAuditEntries(
  db: Db,
  rows: readonly AuditRow[],
  namesOfSubjects: SubjectNames,
): Promise<AuditEntry[]> {
  const ids = [...new Set(rows.map((row) => row.admin_user_id))];
  const people = rows.flatMap(peopleIn);
  const [named, names] = await Promise.all([
    users(db)
      .find({ _id: { $in: ids } })
      .toArray(),
    namesOfSubjects(db, [
      ...rows,
      ...people.map((subject_id) => ({ subject_kind: 'person', subject_id })),
    ]),
  ]);
  const namesIn = (row: Pick<AuditRow, 'before' | 'after'>) =>
    Object.fromEntries(
      peopleIn(row).flatMap((id) => {
        const name = names.get(`person ${id}`);
        return name ? [[id, name] as const] : [];
      }),
    );
  const emails = new Map(named.map(({ _id, email }) => [_id, email]));
  return rows.map(({ _id, ...row }) => ({
    ...row,
    id: _id,
    at: row.at.toISOString(),
    subject_name: names.get(`${row.subject_kind} ${row.subject_id}`) ?? null,
    admin_email: emails.get(row.admin_user_id) ?? null,
    // Converts dates to strings.
    before: JSON.parse(JSON.stringify(row.before)) as AuditEntry['before'],
    after: JSON.parse(JSON.stringify(row.after)) as AuditEntry['after'],
    value_names: namesIn(row),
  }));
}
