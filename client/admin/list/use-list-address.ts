import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useSearchChange } from '../../use-update-search-params.ts';
import type { Control } from './list-filters.ts';

/** What a list may be asked for: by its controls, and by parameters that take any text. */
export type Chosen<Controls extends readonly Control[], Free extends string> = {
  [One in Controls[number] as One['name']]?: Exclude<One['options'][number]['value'], ''>;
} & { [Name in Free]?: string } & { search?: string; cursor?: string };

export interface ListAddress<Query = Record<string, string | undefined>> {
  /** What the address asks for, to be passed to the call as it is. */
  query: Query;
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
 * What of a list is to be shown, kept in the address: a reload, a link and the back button find it again. Values that no
 * control offers are passed over.
 * @param controls a constant
 * @param free a constant: names of parameters that no control sets to one of its values
 */
export function useListAddress<
  const Controls extends readonly Control[],
  const Free extends string = never,
>(controls: Controls, free: readonly Free[] = NONE): ListAddress<Chosen<Controls, Free>> {
  const [search] = useSearchParams();
  const change = useSearchChange();
  const query = useMemo(() => {
    const chosen: Record<string, string> = {};
    for (const name of ['search', 'cursor', ...free]) {
      const value = search.get(name);
      if (value) chosen[name] = value;
    }
    for (const { name, options } of controls) {
      const value = search.get(name);
      if (value && options.some((option) => option.value === value)) chosen[name] = value;
    }
    return chosen as Chosen<Controls, Free>;
  }, [search, controls, free]);

  const choose = useCallback(
    (name: string, value: string) =>
      change(
        (address) => {
          if (value === '') address.delete(name);
          else address.set(name, value);
          address.delete('cursor');
        },
        { replace: true },
      ),
    [change],
  );
  const turn = useCallback(
    (cursor: string | null) =>
      change((address) => {
        if (cursor === null) address.delete('cursor');
        else address.set('cursor', cursor);
      }),
    [change],
  );
  const clear = useCallback(
    () =>
      change(
        (address) => {
          for (const name of ['search', 'cursor', ...free, ...controls.map((one) => one.name)])
            if (name !== 'sort') address.delete(name);
        },
        { replace: true },
      ),
    [change, controls, free],
  );
  const isFiltered = Object.keys(query).some((name) => name !== 'sort' && name !== 'cursor');
  return { query, isFiltered, choose, turn, clear };
}

const NONE: readonly never[] = [];
