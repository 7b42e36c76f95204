import { isDeepStrictEqual } from 'node:util';
import type { Collection, Filter, MatchKeysAndValues } from 'mongodb';
import { EDITED_MEANWHILE, EDITED_WORDS } from '#shared/admin/paging.ts';
import type { Caller } from '../people.ts';
import { Refusal } from '../refusal.ts';
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

const TRIES = 5;

/**
 * Edits a row in an admin's name, so that nobody overwrites what they have not seen.
 * @returns the row as it is then
 * @throws Refusal 404; 409 `edited_meanwhile` when it has another version than the stated one
 */
export async function edit<Row extends EditedRow>(
  { audit }: Pick<Services, 'audit'>,
  rows: Collection<Row>,
  { caller, act, id, version, set, derive, missing, reason }: Edit<Row>,
): Promise<Row> {
  for (let tries = 1; ; tries++) {
    const row = (await rows.findOne({ _id: id } as Filter<Row>)) as Row | null;
    if (!row) throw new Refusal(404, missing);
    if (version !== undefined && version !== (row.version ?? 0)) throw editedMeanwhile();
    const changes = Object.entries(set).filter(
      ([field, value]) => value !== undefined && !isDeepStrictEqual(value, row[field as keyof Row]),
    );
    if (changes.length === 0) return row;
    const after = Object.fromEntries(changes) as Partial<Row>;
    const before = Object.fromEntries(
      changes.map(([field]) => [field, row[field as keyof Row] ?? null]),
    );
    // Null finds rows without one, too.
    const same = { _id: id, version: row.version ?? null } as unknown as Filter<Row>;
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
      if (!(mayTryAgain && error instanceof Refusal && error.code === EDITED_MEANWHILE))
        throw error;
    }
  }
}

/**
 * Takes a row away in an admin's name.
 * @param told what the log keeps of it
 * @throws Refusal 404
 */
export async function removeRow<Row extends EditedRow>(
  { audit }: Pick<Services, 'audit'>,
  rows: Collection<Row>,
  {
    caller,
    act,
    id,
    missing,
    told,
  }: Pick<Edit<Row>, 'caller' | 'act' | 'id' | 'missing'> & { told: (row: Row) => object },
): Promise<void> {
  const which = { _id: id } as Filter<Row>;
  const row = (await rows.findOne(which)) as Row | null;
  if (!row) throw new Refusal(404, missing);
  await audit({ caller, act, subject_id: String(id), before: told(row), after: null }, async () => {
    const { deletedCount } = await rows.deleteOne(which);
    if (deletedCount === 0) throw new Refusal(404, missing);
  });
}

/** What was to be changed is not as it was when somebody looked at it. */
export const editedMeanwhile = (): Refusal =>
  new Refusal(409, EDITED_WORDS, { code: EDITED_MEANWHILE });
