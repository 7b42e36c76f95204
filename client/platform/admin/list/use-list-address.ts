import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useSearchChange } from '../../use-search-change.ts';
import type { Control } from './list-filters.ts';

/** The query of a list: values of its controls, and free parameters. */
export type Chosen<Controls extends readonly Control[], Free extends string> = {
  [One in Controls[number] as One['name']]?: Exclude<One['options'][number]['value'], ''>;
} & { [Name in Free]?: string } & { search?: string; cursor?: string };

export interface ListAddress<Query = Record<string, string | undefined>> {
  /** The query in the address, passed to the call unchanged. */
  query: Query;
  /** Whether the query has more than the order and the page. */
  isFiltered: boolean;
  /** Sets a parameter and returns to the first page; '' removes it. */
  choose: (name: string, value: string) => void;
  /** Goes to a page; null for the first. */
  turn: (cursor: string | null) => void;
  /** Removes all filters. */
  clear: () => void;
}

/**
 * Keeps the query of a list in the address, so that it survives reloads, links and the back button. Ignores values that no
 * control offers.
 * @param controls must be constant
 * @param free must be constant: names of parameters with any text
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
