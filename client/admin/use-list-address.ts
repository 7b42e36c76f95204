import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';

/** The choices that a list offers, by the name of the parameter; null where any text will do. */
type Choices = Record<string, readonly string[] | null>;
type Chosen<C extends Choices> = {
  [Name in keyof C]?: C[Name] extends readonly (infer Value)[] ? Value : string;
};

export interface ListAddress<C extends Choices = Choices> {
  /** What the address asks for, to be passed to the call as it is. */
  query: Chosen<C> & { search?: string; cursor?: string };
  /** Whether anything but the order and the page is asked for. */
  isFiltered: boolean;
  /** Asks for something else, from the first page on; '' takes a wish back. */
  choose: (name: string, value: string) => void;
  /** Goes to a page; null to the first. */
  turn: (cursor: string | null) => void;
  /** Takes every wish back. */
  clear: () => void;
}

/**
 * What of a list is to be shown, kept in the address: a reload, a link and the back button find it again.
 * @param choices a constant
 */
export function useListAddress<const C extends Choices>(choices: C): ListAddress<C> {
  const [search, setSearch] = useSearchParams();
  const query = useMemo(() => {
    const chosen: Record<string, string> = {};
    for (const name of ['search', 'cursor', ...Object.keys(choices)]) {
      const value = search.get(name);
      const known = choices[name];
      if (value && (!known || known.includes(value))) chosen[name] = value;
    }
    return chosen as ListAddress<C>['query'];
  }, [search, choices]);

  const choose = useCallback(
    (name: string, value: string) =>
      setSearch(
        (before) => {
          if (value === '') before.delete(name);
          else before.set(name, value);
          before.delete('cursor');
          return before;
        },
        { replace: true },
      ),
    [setSearch],
  );
  const turn = useCallback(
    (cursor: string | null) =>
      setSearch((before) => {
        if (cursor === null) before.delete('cursor');
        else before.set('cursor', cursor);
        return before;
      }),
    [setSearch],
  );
  const clear = useCallback(
    () =>
      setSearch(
        (before) => {
          for (const name of ['search', 'cursor', ...Object.keys(choices)])
            if (name !== 'sort') before.delete(name);
          return before;
        },
        { replace: true },
      ),
    [setSearch, choices],
  );
  const isFiltered = Object.keys(query).some((name) => name !== 'sort' && name !== 'cursor');
  return { query, isFiltered, choose, turn, clear };
}
