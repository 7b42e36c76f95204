import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { z } from 'zod';
import { amenityKind, type AmenityKind } from '#shared/amenities/contract.ts';
import { useCloseDialog } from '../../../platform/ui/dialogs/use-close-dialog.ts';
import { useSearchChange } from '../../../platform/use-search-change.ts';
import { readStorage, writeStorage } from '../../../platform/web-storage.ts';
import { OPEN_HAZARD } from '../../hazards/hazard-kinds.ts';
import {
  namesIn,
  readPlaceQuery,
  writeNames,
  writePlaceQuery,
  type PlaceQuery,
} from './search-params.ts';

/** The dialogs of the places screen. */
export const OPENED = {
  add: 'add-location',
  edit: 'edit-location',
  addTip: 'add-tip',
  editTip: 'edit-tip',
  report: 'report',
  reportHazard: OPEN_HAZARD,
  visits: 'my-visits',
} as const;
type Opened = (typeof OPENED)[keyof typeof OPENED];

/** Whether this device shows the map, as its owner last chose. */
const MAP = 'places-map';
const mapChoice = z.enum(['shown', 'hidden']);

/** The state in the screen's address: search, chosen place, open dialog, and map. */
export function useAddress() {
  const [search] = useSearchParams();

  const changeSearch = useSearchChange();
  const change = useCallback(
    (to: (search: URLSearchParams) => void, replace: boolean) => changeSearch(to, { replace }),
    [changeSearch],
  );

  return {
    placeQuery: useMemo(() => readPlaceQuery(search), [search]),
    /** Whether the address chooses a radius or a type, with or without a position. */
    hasFilters: search.has('radius') || search.has('type') || search.has('features'),
    /** The place whose page is shown. */
    placeId: search.get('place'),
    /** The place that the open dialog is about. */
    aboutId: search.get('about'),
    tipId: search.get('tip'),
    hazardId: search.get('hazard'),
    opened: search.get('open') as Opened | null,
    /** What else is on the map. */
    amenities: useMemo(() => namesIn(search.get('amenities'), amenityKind.options), [search]),
    hasMap: (search.get('map') ?? readStorage(mapChoice, MAP)) !== 'hidden',
    /** @param isQuiet replaces the current history entry */
    searchFor: useCallback(
      (placeQuery: PlaceQuery, isQuiet = false) =>
        change((address) => {
          writePlaceQuery(address, placeQuery);
          if (!isQuiet) address.delete('place');
        }, isQuiet),
      [change],
    ),
    /** Shows the page of a place. @param isQuiet replaces the current history entry */
    select: useCallback(
      (id: string, isQuiet = false) => change((address) => address.set('place', id), isQuiet),
      [change],
    ),
    /** Returns the address of the page of a place. */
    pageOf: useCallback(
      (id: string) => {
        const address = new URLSearchParams(search);
        address.set('place', id);
        return `?${address}`;
      },
      [search],
    ),
    /** Leaves the page of a place. */
    unselect: useCloseDialog('place'),
    chooseHazard: useCallback(
      (id: string) => change((address) => address.set('hazard', id), true),
      [change],
    ),
    open: useCallback(
      (what: Opened, place?: string, tip?: string) =>
        change((address) => {
          address.set('open', what);
          if (place) address.set('about', place);
          if (tip) address.set('tip', tip);
        }, false),
      [change],
    ),
    close: useCloseDialog('open', 'about', 'tip'),
    /** Shows a place instead of the open dialog. */
    showPlace: useCallback(
      (id: string) =>
        change((address) => {
          address.delete('open');
          address.set('place', id);
        }, true),
      [change],
    ),
    showAmenities: useCallback(
      (kinds: readonly AmenityKind[]) =>
        change((address) => writeNames(address, 'amenities', kinds), true),
      [change],
    ),
    showMap: useCallback(
      (isShown: boolean) =>
        change((address) => {
          address.set('map', isShown ? 'shown' : 'hidden');
          writeStorage(MAP, isShown ? 'shown' : 'hidden');
        }, true),
      [change],
    ),
  };
}
export type Address = ReturnType<typeof useAddress>;
