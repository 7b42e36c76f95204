import { isDeepStrictEqual } from 'node:util';
import type { Collection, Filter, MatchKeysAndValues } from 'mongodb';
import { EDITED_MEANWHILE, EDITED_TEXT } from '#shared/admin/paging.ts';
import { insertOnce, isDuplicate } from '../database.ts';
import type { Caller } from '../session-cache.ts';
import { HttpError } from '../http/http-error.ts';
import type { Services } from '../services.ts';

/** A row that admins edit. */
export interface EditedRow {
  _id: string | number;
  /** How often it was edited; left out before the first time. */
  version?: number;
}

export interface Edit<Row extends EditedRow> {
  caller: Caller;
  /** Such as `access-code.update`. */
  act: `${string}.${string}`;
  id: Row['_id'];
  /** The version that the admin has read; left out, the edit is put over whatever there is. */
  version?: number | undefined;
  /** What becomes of it; what is undefined stays. */
  set: { [Field in keyof Row]?: Row[Field] | undefined };
  /** What follows from the rest, and is nothing to tell of. */
  derive?: (row: Row) => Partial<Row>;
  /** What is said when there is no such row. */
  missing: string;
  reason?: string | null;
}

/** A time of a form: undefined, 'as it is', and null, 'none', stay. */
export const dateOf = <T extends null | undefined>(time: string | T): Date | T =>
  typeof time === 'string' ? new Date(time) : time;

/**
 * Adds a row in an admin's name. Its id is `freshId()`, so that a repeat of the request finds what the first try made.
 * @param told what the log keeps of it
 * @param taken what is said, of which field, when another row has what only one may have
 * @returns the row as it is then
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

/**
 * Edits a row in an admin's name, so that nobody overwrites what they have not seen.
 * @returns the row as it is then
 * @throws HttpError 404; 409 `edited_meanwhile` when it has another version than the stated one
 */
export async function edit<Row extends EditedRow>(
  { audit }: Pick<Services, 'audit'>,
  rows: Collection<Row>,
  { caller, act, id, version, set, derive, missing, reason }: Edit<Row>,
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
    const before = Object.fromEntries(
      changes.map(([field]) => [field, row[field as keyof Row] ?? null]),
    );
    const same = sameAs(row);
    const $set = { ...after, ...derive?.({ ...row, ...after }) } as MatchKeysAndValues<Row>;
    const $inc = { version: 1 } as never;
    try {
      return await audit(
        { caller, act, subject_id: String(id), before, after, reason },
        async () => {
          const now = await rows.findOneAndUpdate(
            same,
            { $set, $inc },
            { returnDocument: 'after' },
          );
          if (!now) throw editedMeanwhile();
          return now as unknown as Row;
        },
      );
    } catch (error) {
      // Whoever stated no version wants it so whatever others did.
      const mayTryAgain = version === undefined && tries < TRIES;
      if (!(mayTryAgain && error instanceof HttpError && error.code === EDITED_MEANWHILE))
        throw error;
    }
  }
}

/**
 * Takes a row away in an admin's name.
 * @param told what the log keeps of it
 * @param first takes away what belongs to it: cut off halfway, the row is there to be taken away once more
 * @throws HttpError 404; 409 `edited_meanwhile` when it has another version than the stated one
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

/** The row as long as nobody edits it. Null finds rows without a version, too. */
const sameAs = <Row extends EditedRow>({ _id, version }: Row): Filter<Row> =>
  ({ _id, version: version ?? null }) as unknown as Filter<Row>;

/** What was to be changed is not as it was when somebody looked at it. */
export const editedMeanwhile = (): HttpError =>
  new HttpError(409, EDITED_TEXT, { code: EDITED_MEANWHILE });
