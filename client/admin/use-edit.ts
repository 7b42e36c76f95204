import { useState } from 'react';
import { EDITED_MEANWHILE } from '#shared/admin/paging.ts';
import { CallError } from '../call.ts';
import { useProblems } from '../use-problems.ts';

type Draft = Record<string, string>;

/** A field that another admin changed while it was being edited here. */
export interface Meanwhile {
  field: string;
  /** As it was when the form was opened, and as it is now. */
  was: string;
  now: string;
}

/**
 * The draft of a row that others may edit at the same time. What is typed stays, whatever they do; what they changed and
 * nobody touched here is taken over; what both changed is told of, and saved as it is here unless theirs is taken.
 * @param draftOf a row's fields as the form has them
 * @param reload reads the row anew
 */
export function useEdit<Row extends { version: number }, Fields extends Draft>(
  row: Row,
  draftOf: (row: Row) => Fields,
  reload: () => Promise<Row>,
) {
  const [base, setBase] = useState(row);
  const [draft, setDraft] = useState(() => draftOf(row));
  const [meanwhile, setMeanwhile] = useState<readonly Meanwhile[]>([]);
  const before = draftOf(base);
  const names = Object.keys(before) as (keyof Fields & string)[];
  const problems = useProblems();
  const set = (field: keyof Fields & string, value: string) => {
    setDraft((typed) => ({ ...typed, [field]: value }));
    problems.forgive(field);
  };

  /** Shows why a save was refused: another admin's edit beside what is typed here, or what is wrong with it. */
  async function showRefusal(error: unknown, unanswered: string): Promise<void> {
    if (!(error instanceof CallError && error.code === EDITED_MEANWHILE))
      return problems.showRefusal(error, unanswered);
    let current: Row;
    try {
      current = await reload();
    } catch (cause) {
      return problems.showRefusal(cause, unanswered);
    }
    const theirs = draftOf(current);
    const changed = names.filter((field) => theirs[field] !== before[field]);
    setMeanwhile(
      changed.map((field) => ({ field, was: before[field] ?? '', now: theirs[field] ?? '' })),
    );
    setDraft((typed) => {
      const untouched = changed.filter((field) => typed[field] === before[field]);
      return { ...typed, ...Object.fromEntries(untouched.map((field) => [field, theirs[field]])) };
    });
    setBase(current);
  }

  return {
    ...problems,
    draft,
    set,
    /** The version that a save is based on. */
    version: base.version,
    isTouched: (field: keyof Fields & string) => draft[field] !== before[field],
    isChanged: names.some((field) => draft[field] !== before[field]),
    meanwhile,
    showRefusal,
  };
}
