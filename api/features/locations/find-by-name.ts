import type { Db } from 'mongodb';
import { wordPrefixFilter } from '../../platform/admin/search.ts';
import { type LocationRow, locations } from './collections.ts';
import { visibleTo } from './store.ts';

/** Finds visible places of which each search word begins a word of the name or address; the most visited first. */
export const findByName = (
  db: Db,
  userId: string,
  query: string,
  limit: number,
): Promise<LocationRow[]> =>
  locations(db)
    .find({ $and: [visibleTo(userId), wordPrefixFilter(query)] })
    .sort({ visit_count: -1, _id: 1 })
    .limit(limit)
    .toArray();
