import type { Charity, CharitySort } from '#shared/charities/contract.ts';
import { searchText, searchWords } from '#shared/normalization/search-text.ts';

const ORDERS: Record<CharitySort, (a: Charity, b: Charity) => number> = {
  name: (a, b) => a.charity_name.localeCompare(b.charity_name),
  donations: (a, b) => b.donation_count - a.donation_count,
  recent: (a, b) => (a.created_at < b.created_at ? 1 : -1),
  near: (a, b) => (a.distance_miles ?? Infinity) - (b.distance_miles ?? Infinity),
};

/** Filters and sorts as the server does: each search term must start a word of the charity's name or place. */
export function sorted(
  charities: readonly Charity[],
  search: string,
  sort: CharitySort,
): Charity[] {
  const terms = searchText(search).split(/\s+/).filter(Boolean);
  return charities
    .filter(({ charity_name, city, state }) => {
      const words = searchWords([charity_name, city, state].join(' '));
      return terms.every((term) => words.some((word) => word.startsWith(term)));
    })
    .toSorted(ORDERS[sort]);
}
