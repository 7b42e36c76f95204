import { z } from 'zod';
import { endpoint, EXPORT } from '../endpoint.ts';

/**
 * Declares the export of an admin list as CSV: all rows that match the filters.
 * @param filters the query parameters of the list, without paging
 */
export const tableExport = <Filters extends z.ZodRawShape>(
  path: `/${string}`,
  filters: Filters,
  failure: string,
) =>
  endpoint('GET', path, {
    limit: EXPORT,
    access: 'admin',
    requiresRecentSignIn: true,
    query: z.object(filters),
    answer: z.instanceof(Uint8Array),
    stream: 'file',
    failure,
  });
