import { useState } from 'react';
import { EDITED_MEANWHILE } from '#shared/admin/paging.ts';
import { CallError } from '../../http/api-client.ts';
import { useSubmit } from '../../forms/use-submit.ts';

type Draft = Record<string, string>;

/** A field that another admin changed while it was being edited here. */
export interface Meanwhile {
  field: string;
  /** As it was when the form was opened, and as it is now. */
  was: string;
  now: string;
}

interface Unsaved<Fields extends Draft> {
  draft: Fields;
  /** The version that the save is based on. */
  version: number;
  isTouched: (field: string) => boolean;
  keyFor: (...values: unknown[]) => string;
}

/**
 * Edits a row that others may edit at the same time. What is typed stays, whatever they do; what they changed and nobody touched
 * here is taken over; what both changed is shown, and saved as it is here unless theirs is taken.
 * @param draftOf a row's fields as the form has them
 * @param reload reads the row again
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
  const [meanwhile, setMeanwhile] = useState<readonly Meanwhile[]>([]);
  const before = draftOf(base);
  const isTouched = (field: string) => draft[field] !== before[field];
  const form = useSubmit((keyFor) => save({ draft, version: base.version, isTouched, keyFor }), {
    onError: (error) => takeOver(error),
  });

  /** Takes over the edit of another admin that refused a save. @returns whether that was why */
  async function takeOver(error: unknown): Promise<boolean> {
    if (!(error instanceof CallError && error.code === EDITED_MEANWHILE)) return false;
    const current = await reload();
    const theirs = draftOf(current);
    const changed = Object.keys(before).filter((field) => theirs[field] !== before[field]);
    setMeanwhile(
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
  return { form, draft, set, bind, meanwhile };
}
