import { useState } from 'react';
import { EDITED_MEANWHILE } from '#shared/admin/paging.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { CallError } from '../../http/api-client.ts';

type Draft = Record<string, string>;

/** A field that another admin changed during an edit. */
export interface ConcurrentChange {
  field: string;
  /** The value when the form was opened, and the current one. */
  was: string;
  now: string;
}

interface Unsaved<Fields extends Draft> {
  draft: Fields;
  /** The row's version that the edit is based on. */
  version: number;
  isTouched: (field: string) => boolean;
  keyFor: (...values: unknown[]) => string;
}

/**
 * Edits a row that other admins may edit at the same time. Typed values always stay; untouched fields take over others' changes;
 * fields changed by both are shown and keep the typed value unless the user takes theirs.
 * @param draftOf converts a row to the form's fields
 * @param reload fetches the row again
 */
export function useEdit<Row extends { version: number }, Fields extends Draft>({
  row,
  draftOf,
  reload,
  save,
}: {
  row: Row;
  draftOf: (row: Row) => Fields;
  reload: () => Promise<Row>;
  save: (unsaved: Unsaved<Fields>) => Promise<unknown>;
}) {
  type Name = keyof Fields & string;
  const [base, setBase] = useState(row);
  const [draft, setDraft] = useState(() => draftOf(row));
  const [conflicts, setConflicts] = useState<readonly ConcurrentChange[]>([]);
  const before = draftOf(base);
  const isTouched = (field: string) => draft[field] !== before[field];
  const form = useSubmit((keyFor) => save({ draft, version: base.version, isTouched, keyFor }), {
    onError: (error) => merge(error),
  });

  /** Merges another admin's edit after a save was rejected. @returns whether that was the reason */
  async function merge(error: unknown): Promise<boolean> {
    if (!(error instanceof CallError && error.code === EDITED_MEANWHILE)) return false;
    const current = await reload();
    const theirs = draftOf(current);
    const changed = Object.keys(before).filter((field) => theirs[field] !== before[field]);
    setConflicts(
      changed.map((field) => ({ field, was: before[field] ?? '', now: theirs[field] ?? '' })),
    );
    setDraft((typed) => {
      const untouched = changed.filter((field) => typed[field] === before[field]);
      return { ...typed, ...Object.fromEntries(untouched.map((field) => [field, theirs[field]])) };
    });
    setBase(current);
    return true;
  }

  const change = (field: string, value: string) =>
    setDraft((typed) => ({ ...typed, [field]: value }));
  const set = (field: string, value: string) => {
    form.clear(field);
    change(field, value);
  };
  const bind: (name: Name) => ReturnType<ReturnType<typeof form.bind>> = form.bind(draft, change);
  return { form, draft, set, bind, conflicts };
}
