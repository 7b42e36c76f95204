import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Paged } from '#shared/admin/paging.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { pathOf, type Input } from '../../http/api-client.ts';
import { call } from '../../http/api.ts';
import type { Control } from './list-filters.ts';
import { useListAddress, type Chosen, type ListAddress } from './use-list-address.ts';

type NoParams = z.ZodType<Record<never, never>>;
type NoBody = z.ZodType<undefined>;

/** A paged list; must be constant. */
interface ListKind<
  Query extends z.ZodType,
  Answer extends z.ZodType<Paged>,
  Controls extends readonly Control[],
  Free extends string,
> {
  /** Query key of its answers, after 'admin'. */
  key: string;
  from: Endpoint<NoParams, Query, NoBody, Answer>;
  controls: Controls;
  /** Further parameters that links to the list may set. */
  free?: readonly Free[];
  /** Label of the search field; without it, there is none. */
  search?: string;
  /** Endpoint of the CSV export. */
  exported?: Pick<Endpoint, 'path'>;
}

/** A list as its table needs it. */
export interface AdminList<Answer extends Paged = Paged> {
  asked: UseQueryResult<Answer>;
  /** Fetches another page with the same filters. */
  fetchPage: (page: { cursor: string | undefined; limit: number }) => Promise<Answer>;
  /** The filters and order as text, to compare. */
  filters: string;
  address: ListAddress;
  controls: readonly Control[];
  failure: string;
  search?: string | undefined;
  /** Address of the CSV export with the same filters. */
  exportHref?: string | undefined;
}

/**
 * Fetches the page of a list in the address; shows the previous page while the next is loading.
 * @param kind must be constant; its controls may offer only what the call accepts
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
  const fetchPage = (page: object) => call(from, { query: page } as Input<NoParams, Query, NoBody>);
  const asked = useQuery({
    queryKey: ['admin', key, query],
    queryFn: () => fetchPage(query),
    placeholderData: keepPreviousData,
    // Other admins change it, too, and the user's own action must be included.
    staleTime: 0,
  });
  return {
    asked,
    fetchPage: (page) => fetchPage({ ...filters, ...page }),
    filters: JSON.stringify(filters),
    address,
    controls,
    failure: from.failure,
    search,
    exportHref: exported && pathOf(exported, {}, filters),
  };
}
