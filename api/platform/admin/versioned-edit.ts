import { isDeepStrictEqual } from 'node:util';
import type { Collection, Filter, MatchKeysAndValues } from 'mongodb';
import { EDITED_MEANWHILE, EDITED_TEXT } from '#shared/admin/paging.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { insertOnce } from '../database.ts';
import type { Services } from '../services.ts';
import type { Caller } from '../session-cache.ts';

/** A row that admins edit. */
export interface EditedRow {
  _id: string | number;
  /** How often it was edited; unset before the first edit. */
  version?: number;
}

export interface Edit<Row extends EditedRow> {
  caller: Caller;
  /** Such as `access-code.update`. */
  act: `${string}.${string}`;
  id: Row['_id'];
  /** The version that the admin read; without it the edit applies to any version. */
  version?: number | undefined;
  /** New values; undefined fields stay. */
  set: { [Field in keyof Row]?: Row[Field] | undefined };
  /** Personal fields: the audit log says that they changed, without the values, because it outlives them. */
  unrecorded?: readonly (keyof Row & string)[];
  /** Derived values, which are not audited. */
  derive?: (row: Row) => Partial<Row>;
  /** The error if there is no such row. */
  missing: string;
  reason?: string | null;
}

/** Parses a form’s time; undefined (unchanged) and null (none) stay. */
export const dateOf = <T extends null | undefined>(time: string | T): Date | T =>
  typeof time === 'string' ? new Date(time) : time;

/**
 * Adds a row for an admin. Its id is `freshId()`, so that a repeat finds the first row.
 * @param auditFields the fields in the audit log
 * @param conflict the error, and its field, if a unique value is taken
 * @returns the stored row
 * @throws HttpError 409
 */
export async function createRow<Row extends EditedRow>(
  { audit }: Pick<Services, 'audit'>,
  rows: Collection<Row>,
  {
    caller,
    act,
    row,
    auditFields,
    conflict,
  }: Pick<Edit<Row>, 'caller' | 'act'> & {
    row: Row;
    auditFields: object;
    conflict?: { field: string; message: string };
  },
): Promise<Row> {
  const what = { caller, act, subject_id: String(row._id), before: null, after: auditFields };
  return audit(what, async () => {
    try {
      return await insertOnce(rows, row);
    } catch (error) {
      if (!conflict || !isDuplicate(error)) throw error;
      const { field, message } = conflict;
      throw new HttpError(409, message, { fields: { [field]: message }, cause: error });
    }
  });
}

const TRIES = 5;
/** Replaces the value of a personal field in the audit log. */
const NOT_RECORDED = '(not recorded)';

/**
 * Edits a row for an admin, without overwriting changes they haven’t seen.
 * @returns the updated row
 * @throws HttpError 404; 409 `edited_meanwhile` if it has another version
 */
export async function edit<Row extends EditedRow>(
  { audit }: Pick<Services, 'audit'>,
  rows: Collection<Row>,
  { caller, act, id, version, set, unrecorded = [], derive, missing, reason }: Edit<Row>,
): Promise<Row> {
  for (let tries = 1; ; tries++) {
    const row = (await rows.findOne({ _id: id } as Filter<Row>)) as Row | null;
    if (!row) throw new HttpError(404, missing);
    if (version !== undefined && version !== (row.version ?? 0)) throw editedMeanwhile();
    const changes = Object.entries(set).filter(
      ([field, value]) => value !== undefined && !isDeepStrictEqual(value, row[field as keyof Row]),
    );
    if (changes.length === 0) return row;
    const after = Object.fromEntries(changes) as Partial<Row>;
    const recorded = (of: Partial<Row>) =>
      Object.fromEntries(
        changes.map(([field]) => {
          const value = of[field as keyof Row] ?? null;
          const isHidden = value !== null && unrecorded.some((each) => each === field);
          return [field, isHidden ? NOT_RECORDED : value];
        }),
      );
    const values = { before: recorded(row), after: recorded(after) };
    const same = sameAs(row);
    const $set = { ...after, ...derive?.({ ...row, ...after }) } as MatchKeysAndValues<Row>;
    const $inc = { version: 1 } as never;
    try {
      return await audit({ caller, act, subject_id: String(id), ...values, reason }, async () => {
        const now = await rows.findOneAndUpdate(same, { $set, $inc }, { returnDocument: 'after' });
        if (!now) throw editedMeanwhile();
        return now as unknown as Row;
      });
    } catch (error) {
      // Without a version the edit applies regardless of other edits.
      const mayTryAgain = version === undefined && tries < TRIES;
      if (!(mayTryAgain && error instanceof HttpError && error.code === EDITED_MEANWHILE))
        throw error;
    }
  }
}

/**
 * Deletes a row for an admin.
 * @param auditFields the fields in the audit log
 * @param first deletes related data; after an interruption the row is still there for a retry
 * @throws HttpError 404; 409 `edited_meanwhile` if it has another version
 */
export async function removeRow<Row extends EditedRow>(
  { audit }: Pick<Services, 'audit'>,
  rows: Collection<Row>,
  {
    caller,
    act,
    id,
    version,
    missing,
    auditFields,
    first,
  }: Pick<Edit<Row>, 'caller' | 'act' | 'id' | 'version' | 'missing'> & {
    auditFields: (row: Row) => object;
    first?: () => Promise<void>;
  },
): Promise<void> {
  const which = { _id: id } as Filter<Row>;
  const row = (await rows.findOne(which)) as Row | null;
  if (!row) throw new HttpError(404, missing);
  if (version !== undefined && version !== (row.version ?? 0)) throw editedMeanwhile();
  const read = version === undefined ? which : sameAs(row);
  await first?.();
  await audit(
    { caller, act, subject_id: String(id), before: auditFields(row), after: null },
    async () => {
      const { deletedCount } = await rows.deleteOne(read);
      if (deletedCount === 0)
        throw version === undefined ? new HttpError(404, missing) : editedMeanwhile();
    },
  );
}

/** Matches the row while it has this version. Null matches rows without one. */
const sameAs = <Row extends EditedRow>({ _id, version }: Row): Filter<Row> =>
  ({ _id, version: version ?? null }) as unknown as Filter<Row>;

/** The row changed since the admin read it. */
export const editedMeanwhile = (): HttpError =>
  new HttpError(409, EDITED_TEXT, { code: EDITED_MEANWHILE });
