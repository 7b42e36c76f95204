import { Footprints, Map as MapIcon, Plus } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { GeocoderResult } from '#shared/geocoder/contract.ts';
import { getLocation } from '#shared/locations/contract.ts';
import type { LocationType } from '#shared/locations/schemas.ts';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { isPositionGranted, PLACES_MESSAGES } from '../../platform/position/find-position.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { useMedia } from '../../platform/ui/layout/use-media.ts';
import { HazardsSection } from '../hazards/hazards-section.tsx';
import { useHazards } from '../hazards/use-hazards.ts';
import type { ShownPlace } from './optimistic-places.ts';
import { PlaceModals } from './place/place-modals.tsx';
import { PlacePage } from './place/place-page.tsx';
import { SimilarPlaces } from './place/similar-places.tsx';
import { FilterChips } from './search/filter-chips.tsx';
import { FoundPlaces } from './search/found-places.tsx';
import { PlaceActions } from './search/place-actions.tsx';
import { SearchPanel } from './search/search-panel.tsx';
import { Tapped } from './search/tapped.tsx';
import { useAmenities } from './search/use-amenities.ts';
import { useLocating } from './search/use-locating.ts';
import { OPENED, useAddress } from './search/use-location-params.ts';
import { lastSearch, useFoundPlaces } from './search/use-places.ts';
import { useShownPlaces, type MissingPlace as Missing } from './search/use-shown-places.ts';
import { useArrival } from './use-pending-places.ts';
import { useVisitedToday } from './visits/use-visited-today.ts';

const PlacesMap = lazyComponent(
  () => import('./search/places-map.tsx'),
  () => <Skeleton label="Loading map…" lines={6} />,
);

/** Three fit next to each other on a narrow phone, without their icons. */
const HEADER_BUTTON =
  'min-h-11! flex-auto px-2! py-1.5! max-sm:[&>svg]:hidden sm:flex-none sm:px-4!';

const showInList = (id: string, block: ScrollLogicalPosition) =>
  document.getElementById(id)?.scrollIntoView({ block });

/** Out of sight behind the page of a place, but as large as before: the map stays where it is. */
const BEHIND = 'invisible absolute inset-x-0 top-0 h-0 overflow-hidden px-4 sm:px-6';

/** Places to walk. The address has the search, the place whose page is shown and the open dialog. */
export default function LocationsPage() {
  const user = useUser();
  const userId = user?.id ?? '';
  const isWide = useMedia('(min-width: 48rem)');
  const address = useAddress();
  const { placeQuery, hasFilters, searchFor, select, unselect } = address;
  const found = useFoundPlaces(placeQuery);
  const shown = useShownPlaces(found.places, placeQuery.from, address.placeId, select);
  const foundHazards = useHazards(placeQuery.from);
  const { hazards } = foundHazards;
  useArrival(address.placeId, select);
  const { here, setHere, locate, isFinding, problem, setProblem } = useLocating();
  const visits = useVisitedToday(locate);
  const around = useAmenities(placeQuery.from, placeQuery.radius, address.amenities);

  // Without a search in the address, shows the last one, or the surroundings if that needs no permission prompt. The last search
  // doesn't answer one for another radius or type: only its position is used then, if this device's position isn't known.
  const hasFrom = placeQuery.from !== null;
  /** Whether neither this device’s position nor a last search is known: a linked place is shown with what is around it. */
  const [isUnlocated, setUnlocated] = useState(false);
  useEffect(() => {
    if (hasFrom) return;
    const last = lastSearch(userId);
    if (last && !hasFilters) return searchFor(last.placeQuery, true);
    let isOver = false;
    void (async () => {
      const isGranted = await isPositionGranted();
      if (isOver) return;
      const from = isGranted ? await locate() : null;
      if (isOver) return;
      if (from) return searchFor({ ...placeQuery, from }, true);
      if (!last) return setUnlocated(true);
      if (isGranted) setProblem('');
      searchFor({ ...placeQuery, from: last.placeQuery.from, near: last.placeQuery.near }, true);
    })();
    return () => {
      isOver = true;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the page is opened without a search
  }, [hasFrom, hasFilters, userId]);

  function showAround({ kind, id, name, latitude, longitude }: GeocoderResult) {
    setProblem('');
    searchFor({
      ...placeQuery,
      from: { latitude, longitude },
      near: kind === 'place' ? null : name,
    });
    if (id !== null) select(id);
  }

  async function searchHere(radius: number, type: LocationType | null) {
    const from = await locate();
    if (from) searchFor({ ...placeQuery, from, radius, type, near: null });
  }

  async function search(radius: number, type: LocationType | null) {
    const from = placeQuery.from ?? (await locate());
    if (!from) return setProblem((before) => before || PLACES_MESSAGES.unsupported);
    setProblem('');
    const again = { ...placeQuery, from, radius, type };
    if (JSON.stringify(again) === JSON.stringify(placeQuery)) found.refetch();
    else searchFor(again);
  }

  /** What was tapped on the map. On a phone, it is shown there; on a wide screen, the list is next to it. */
  const [tapped, setTapped] = useState<string | null>(null);
  const { chosen } = shown;
  const hasMap = address.hasMap && placeQuery.from !== null;
  const isOpened = address.placeId !== null && !shown.missing;
  /** Whether a place has the whole screen. */
  const isWhole = isOpened && !(isWide && address.hasMap);
  // A link to a place loads neither list nor map before somebody goes there.
  const [isListNeeded, setListNeeded] = useState(!isWhole);
  if (!isWhole && !isListNeeded) setListNeeded(true);

  /** How far the list was scrolled when a place was opened, and which it was. */
  const left = useRef<{ top: number; id: string | null } | null>(null);
  const leave = (id: string | null) => (left.current = { top: window.scrollY, id });
  useLayoutEffect(() => {
    if (isOpened || !left.current) return;
    const { top, id } = left.current;
    left.current = null;
    window.scrollTo({ top, behavior: 'instant' });
    const link = document.getElementById(`place-${id}`)?.querySelector('a');
    link?.focus({ preventScroll: true });
  }, [isOpened]);
  useEffect(() => {
    if (hasFrom || !isUnlocated || !chosen) return;
    const { latitude, longitude, name } = chosen;
    searchFor({ ...placeQuery, from: { latitude, longitude }, near: name }, true);
  }, [hasFrom, isUnlocated, chosen, placeQuery, searchFor]);
  const chooseOnMap = useCallback(
    (id: string) => {
      setTapped(id);
      if (isWide) showInList(`place-${id}`, 'nearest');
    },
    [isWide],
  );

  function visitOrUndo(place: ShownPlace) {
    const recorded = visits.visited.has(place.id) ? visits.undo(place) : visits.visit(place, here);
    recorded.catch((error: unknown) => console.error('Failed to record visit', error));
  }
  const opened = chosen ? (
    <PlacePage
      key={chosen.id}
      shown={chosen}
      here={here}
      waiting={shown.waiting}
      address={address}
      isVisited={visits.visited.has(chosen.id)}
      isWhole={isWhole}
      onVisit={() => visitOrUndo(chosen)}
      onMap={
        isWhole && hasMap
          ? () => {
              left.current = { top: 0, id: null };
              setTapped(chosen.id);
              void unselect();
            }
          : null
      }
      onClose={() => void unselect()}
    />
  ) : (
    <Skeleton label="Loading place…" lines={6} />
  );
  const isEmpty = !hasFrom && shown.places.length === 0;
  /** Whether the user has to say where to search. */
  const isAsking = isEmpty && isUnlocated;
  const places =
    isEmpty && !isUnlocated ? (
      <Skeleton key="places" label="Finding places near you…" lines={4} />
    ) : (
      <FoundPlaces
        key="places"
        found={found}
        shown={shown}
        address={address}
        here={here}
        tapped={tapped}
        visitedToday={visits.visited}
        onOpen={leave}
        onVisit={visitOrUndo}
      />
    );
  const { hazardId, chooseHazard } = address;
  const [isHazardsOpen, setHazardsOpen] = useState(false);
  const isHazardListed = hazards.some(({ id }) => id === hazardId);
  useEffect(() => {
    if (isHazardListed) setHazardsOpen(true);
  }, [hazardId, isHazardListed]);
  useEffect(() => {
    if (isHazardListed && isHazardsOpen) showInList(`hazard-${hazardId}`, 'center');
  }, [hazardId, isHazardListed, isHazardsOpen]);
  const chooseHazardOnMap = useCallback(
    (id: string) => {
      setTapped(id);
      if (!isWide) return;
      chooseHazard(id);
      setHazardsOpen(true);
      showInList(`hazard-${id}`, 'center');
    },
    [chooseHazard, isWide],
  );
  const hazardsSection = placeQuery.from && (
    <HazardsSection
      key="hazards"
      found={foundHazards}
      around={here ?? placeQuery.from}
      chosen={hazardId}
      isOpen={isHazardsOpen}
      onToggle={() => setHazardsOpen(!isHazardsOpen)}
      onReport={() => {
        // So that it is shown once it is reported.
        setHazardsOpen(true);
        address.open(OPENED.reportHazard);
      }}
    />
  );
  // Hazards come first, but that there are none isn't urgent.
  const list = (
    <div className="flex min-w-0 flex-col gap-4">
      {hazards.length > 0 ? [hazardsSection, places] : [places, hazardsSection]}
    </div>
  );
  const listOrPlace = isOpened && !isWhole ? opened : list;
  const actions = (
    <div className="flex w-full flex-wrap gap-2 sm:w-auto">
      {placeQuery.from && (
        <Button
          look="secondary"
          className={HEADER_BUTTON}
          aria-expanded={address.hasMap}
          Icon={MapIcon}
          onClick={() => address.showMap(!address.hasMap)}
        >
          {address.hasMap ? 'Hide map' : 'Show map'}
        </Button>
      )}
      <Button
        look="secondary"
        className={HEADER_BUTTON}
        Icon={Footprints}
        onClick={() => address.open(OPENED.visits)}
      >
        My visits
      </Button>
      <Button
        look="secondary"
        className={HEADER_BUTTON}
        Icon={Plus}
        onClick={() => address.open(OPENED.add)}
      >
        Add Location
      </Button>
    </div>
  );

  return (
    <Screen
      title={isOpened ? (chosen?.name ?? 'Place') : 'Dog Walking Locations'}
      className="relative flex flex-col gap-3 px-4 pb-4 sm:gap-4 sm:px-6"
    >
      {isWhole && opened}
      {isListNeeded && (
        <div className={`flex flex-col gap-3 sm:gap-4 ${isWhole ? BEHIND : ''}`}>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
            <h1 tabIndex={-1} className="text-2xl font-bold tracking-tight sm:text-3xl">
              Dog Walking Locations
            </h1>
            {isWide && actions}
          </div>
          {shown.missing && (
            <MissingPlace missing={shown.missing} onClose={() => void unselect()} />
          )}
          <SearchPanel
            radius={placeQuery.radius}
            type={placeQuery.type}
            hasSearched={!isAsking}
            isSearching={found.isFetching && !found.isFetchingMore}
            isFinding={isFinding}
            near={placeQuery.from ?? here}
            onSearch={(...what) => void search(...what)}
            onUseMyLocation={(...what) => void searchHere(...what)}
            onSearchAround={showAround}
          />
          {problem && <ErrorBanner>{problem}</ErrorBanner>}
          <FilterChips address={address} />
          {!isWide && !hasMap && actions}
          {hasMap && placeQuery.from ? (
            <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
              <div className="md:sticky md:top-4">
                <PlacesMap
                  places={shown.places}
                  hazards={hazards}
                  amenities={around.amenities}
                  from={placeQuery.from}
                  radius={placeQuery.radius}
                  here={here}
                  chosen={address.placeId ?? tapped}
                  onChoose={chooseOnMap}
                  onChooseHazard={chooseHazardOnMap}
                  onChooseAmenity={setTapped}
                  onSearchAt={(from) => searchFor({ ...placeQuery, from, near: null })}
                >
                  {tapped !== null &&
                    (!isWide || around.amenities.some(({ id }) => id === tapped)) && (
                      <Tapped
                        id={tapped}
                        places={shown.places}
                        hazards={hazards}
                        amenities={around.amenities}
                        around={here ?? placeQuery.from}
                        actionsOf={(place) =>
                          !place.isNew && (
                            <PlaceActions
                              place={place}
                              isVisited={visits.visited.has(place.id)}
                              onVisit={() => visitOrUndo(place)}
                              onAddTip={() => address.open(OPENED.addTip, place.id)}
                            />
                          )
                        }
                        onPlace={(id) => {
                          leave(id);
                          select(id);
                        }}
                        onHazard={(id) => {
                          chooseHazard(id);
                          setHazardsOpen(true);
                          showInList(`hazard-${id}`, 'center');
                        }}
                        onClose={() => setTapped(null)}
                      />
                    )}
                </PlacesMap>
              </div>
              {!isWide && actions}
              {listOrPlace}
            </div>
          ) : (
            listOrPlace
          )}
        </div>
      )}
      <PlaceModals address={address} shown={shown} onHere={setHere} />
      <SimilarPlaces onIsThis={select} />
    </Screen>
  );
}

/** Explains why the place in the address isn't shown. */
function MissingPlace({
  missing: { why, retry },
  onClose,
}: {
  missing: Missing;
  onClose: () => void;
}) {
  if (why === 'removed')
    return (
      <ErrorBanner
        title="Place not found"
        action={
          <Button look="secondary" onClick={onClose}>
            Close
          </Button>
        }
      >
        It was removed, it’s private, or the link is wrong.
      </ErrorBanner>
    );
  if (why === 'offline')
    return (
      <ErrorBanner title="This place isn’t on this device">
        It will load once you’re online.
      </ErrorBanner>
    );
  return (
    <ErrorBanner title={getLocation.failure} onRetry={retry}>
      We couldn’t reach our server.
    </ErrorBanner>
  );
}
