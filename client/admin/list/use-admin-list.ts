import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Paged } from '#shared/admin/paging.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { call } from '../../http/api.ts';
import { pathOf, type Input } from '../../http/api-client.ts';
import type { Control } from './list-filters.ts';
import { useListAddress, type Chosen, type ListAddress } from './use-list-address.ts';

type NoParams = z.ZodType<Record<never, never>>;
type NoBody = z.ZodType<undefined>;

/** A list that comes page by page; a constant. */
interface ListKind<
  Query extends z.ZodType,
  Answer extends z.ZodType<Paged>,
  Controls extends readonly Control[],
  Free extends string,
> {
  /** Of its answers, behind 'admin'. */
  key: string;
  from: Endpoint<NoParams, Query, NoBody, Answer>;
  controls: Controls;
  /** What else may be asked for, by a link to the list. */
  free?: readonly Free[];
  /** What may be searched for, as the field's label; left out where nothing can. */
  search?: string;
  /** The same as a spreadsheet. */
  exported?: Pick<Endpoint, 'path'>;
}

/** What a table needs to know of its list, but for the rows. */
export interface AdminList<Answer extends Paged = Paged> {
  asked: UseQueryResult<Answer>;
  /** Asks for another page of what the address filters. */
  askPage: (page: { cursor: string | undefined; limit: number }) => Promise<Answer>;
  /** What it is filtered and ordered by: another list has another text. */
  filters: string;
  address: ListAddress;
  controls: readonly Control[];
  failure: string;
  search?: string | undefined;
  /** Where the list is to be had for a spreadsheet, as it is filtered. */
  exportHref?: string | undefined;
}

/**
 * Asks for the page of a list that the address names; the last page stays while the next is on its way.
 * @param kind a constant; its controls may offer only what the call takes
 */
export function useAdminList<
  Query extends z.ZodType,
  Answer extends z.ZodType<Paged>,
  const Controls extends readonly Control[],
  const Free extends string = never,
>(
  kind: ListKind<Query, Answer, Controls, Free> &
    (Chosen<Controls, Free> extends z.input<Query> ? unknown : never),
): AdminList<z.output<Answer>> {
  const { key, from, controls, free, search, exported } = kind;
  const address = useListAddress(controls, free);
  const { query } = address;
  const { cursor: _, ...filters } = query;
  const ask = (wanted: object) => call(from, { query: wanted } as Input<NoParams, Query, NoBody>);
  const asked = useQuery({
    queryKey: ['admin', key, query],
    queryFn: () => ask(query),
    placeholderData: keepPreviousData,
    // Others work on it too, and what was just done must be in it.
    staleTime: 0,
  });
  return {
    asked,
    askPage: (page) => ask({ ...filters, ...page }),
    filters: JSON.stringify(filters),
    address,
    controls,
    failure: from.failure,
    search,
    exportHref: exported && pathOf(exported, {}, filters),
  };
}
