import { useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { CallError } from './call.ts';

type Fields = Readonly<Record<string, string>>;
const NONE: Fields = {};

/** A form says nothing of what the browser cannot make a value of, such as a date without its time. */
function halfTypedIn(form: HTMLFormElement | null): Fields {
  const wrong: Record<string, string> = {};
  for (const input of form?.querySelectorAll('input') ?? [])
    if (input.validity.badInput) wrong[input.name] = halfTypedWords(input);
  return wrong;
}

const halfTypedWords = ({ type, required }: HTMLInputElement): string =>
  (type === 'number' ? 'Please enter a number' : 'Please enter the whole date and time') +
  (required ? '' : ', or leave it empty');

/** What is wrong with a form: at its fields, or in words above its button. `form` is the ref of the form. */
export function useProblems() {
  const form = useRef<HTMLFormElement>(null);
  const [{ words, fields, isUnanswered }, set] = useState({
    words: '',
    fields: NONE,
    isUnanswered: false,
  });

  /** Shows what is wrong, and leads to the first field of it; without anything, nothing is. @returns whether a field tells it */
  const show = useCallback(
    (words: string, fields: Fields = NONE, isUnanswered = false): boolean => {
      flushSync(() => set({ words, fields, isUnanswered }));
      const first = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
      first?.focus();
      return Boolean(first);
    },
    [],
  );

  /**
   * Shows at its field what is half typed: it has no value, and would be sent as if nothing were there. Each field that may be
   * left empty and is no text has its `name`. @returns whether there is any
   */
  const refuseHalfTyped = useCallback((): boolean => {
    const wrong = halfTypedIn(form.current);
    const isAny = Object.keys(wrong).length > 0;
    if (isAny) show('', wrong);
    return isAny;
  }, [show]);

  /** Shows what the server refused: at its fields, else in its words. @param unanswered where it said nothing */
  const showRefusal = useCallback(
    (error: unknown, unanswered: string) => {
      const refusal = error instanceof CallError && error.status > 0 ? error : null;
      if (!show('', refusal?.fields)) show(refusal?.message ?? unanswered, NONE, !refusal);
    },
    [show],
  );

  /** What is wrong with a field is so no longer when it is changed, as far as anybody knows. */
  const forgive = useCallback(
    (name: string) =>
      set((before) => {
        if (!before.words && !before.fields[name]) return before;
        const { [name]: _, ...others } = before.fields;
        return { words: '', fields: others, isUnanswered: false };
      }),
    [],
  );

  return { form, words, fields, isUnanswered, show, refuseHalfTyped, showRefusal, forgive };
}

/**
 * The key of a request that may have to be repeated: the same for the same words, so that what was lost on the way is not
 * done twice; another for other words.
 */
export function useRequestKey() {
  const [last] = useState({ of: '', key: '' });
  return {
    keyFor(...words: unknown[]): string {
      const of = JSON.stringify(words);
      if (last.of !== of) Object.assign(last, { of, key: crypto.randomUUID() });
      return last.key;
    },
    /** The next request is another, even with the same words. */
    forget: () => void Object.assign(last, { of: '', key: '' }),
  };
}
