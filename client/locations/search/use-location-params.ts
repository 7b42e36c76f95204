import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useClose } from '../../ui/use-close-dialog.ts';
import { useSearchChange } from '../../use-update-search-params.ts';
import { readWanted, writeWanted, type Wanted } from './search-params.ts';

/** What may be open over the places. */
export const OPENED = {
  add: 'add-location',
  edit: 'edit-location',
  addTip: 'add-tip',
  editTip: 'edit-tip',
  report: 'report',
} as const;
type Opened = (typeof OPENED)[keyof typeof OPENED];

/** The screen's address: what is searched for, which place is looked at, what is open, whether the map is shown. */
export function useAddress() {
  const [search] = useSearchParams();

  const changeSearch = useSearchChange();
  const change = useCallback(
    (to: (search: URLSearchParams) => void, replace: boolean) => changeSearch(to, { replace }),
    [changeSearch],
  );

  return {
    wanted: useMemo(() => readWanted(search), [search]),
    placeId: search.get('place'),
    tipId: search.get('tip'),
    opened: search.get('open') as Opened | null,
    hasMap: search.get('map') === 'shown',
    /** @param isQuiet leaves no step to go back to */
    searchFor: useCallback(
      (wanted: Wanted, isQuiet = false) =>
        change((address) => {
          writeWanted(address, wanted);
          if (!isQuiet) address.delete('place');
        }, isQuiet),
      [change],
    ),
    select: useCallback(
      (id: string | null) =>
        change((address) => {
          if (id === null) address.delete('place');
          else address.set('place', id);
        }, true),
      [change],
    ),
    open: useCallback(
      (what: Opened, place?: string, tip?: string) =>
        change((address) => {
          address.set('open', what);
          if (place) address.set('place', place);
          if (tip) address.set('tip', tip);
        }, false),
      [change],
    ),
    close: useClose('open', 'tip'),
    showMap: useCallback(
      (isShown: boolean) =>
        change((address) => {
          if (isShown) address.set('map', 'shown');
          else address.delete('map');
        }, true),
      [change],
    ),
  };
}
export type Address = ReturnType<typeof useAddress>;
