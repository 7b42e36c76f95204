import { MapPinPlus } from 'lucide-react';
import { searchLocations } from '#shared/locations/contract.ts';
import { OPENSTREETMAP } from '#shared/locations/tiles.ts';
import { metersBetween, milesOf, type Place } from '#shared/place.ts';
import { durationWords } from '../../../platform/duration-words.ts';
import { errorMessage } from '../../../platform/http/error-message.ts';
import { Illustration } from '../../../platform/illustrations/illustration.tsx';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { useNow } from '../../../platform/use-now.ts';
import { Attributions } from '../../geocoder/attributions.tsx';
import { useUnits } from '../../settings/use-units.ts';
import type { ShownPlace } from '../optimistic-places.ts';
import { PlaceCard } from '../place/place-card.tsx';
import { AlternativeSearches } from './alternative-searches.tsx';
import { Sponsored } from './sponsored.tsx';
import { OPENED, type Address } from './use-location-params.ts';
import type { useFoundPlaces } from './use-places.ts';
import type { ShownPlaces } from './use-shown-places.ts';

/** Of imported places. Decision 170. */
const OSM = { text: OPENSTREETMAP.attribution, url: OPENSTREETMAP.attribution_url };

/** Sponsored businesses come after so many places: a row of them on a wide screen. */
const PLACES_FIRST = 2;

/** The age from which the list shows how old it is. */
const FRESH_MS = 120_000;

/** The found places, or why there are none. */
export function FoundPlaces({
  found,
  shown: { places },
  address,
  here,
  tapped,
  visitedToday,
  onOpen,
  onVisit,
}: {
  found: ReturnType<typeof useFoundPlaces>;
  shown: ShownPlaces;
  address: Address;
  here: Place | null;
  /** The ID of what was tapped on the map. */
  tapped: string | null;
  /** The IDs of the places where the user was today. */
  visitedToday: ReadonlySet<string>;
  onOpen: (id: string) => void;
  onVisit: (place: ShownPlace) => void;
}) {
  const now = useNow();
  const units = useUnits();
  const { placeQuery } = address;
  if (!placeQuery.from && places.length === 0)
    return (
      <div className="flex flex-col items-center gap-3 rounded-card border border-line bg-surface px-4 py-10 text-center shadow-lift">
        <Illustration name="places" />
        <p className="max-w-sm text-soft">
          Find a town or an address, or use your location, to see parks, trails and beaches around
          it, with tips from other owners.
        </p>
      </div>
    );
  const within = `within ${units.farWhole(placeQuery.radius)}`;
  const away = here && placeQuery.from ? milesOf(metersBetween(here, placeQuery.from)) : 0;
  // The last search may be around another town, from where distances are measured.
  const around = placeQuery.near
    ? `, around ${placeQuery.near}`
    : away > placeQuery.radius
      ? `, around a point ${units.farWhole(away)} away`
      : '';
  const age = found.receivedAt > 0 ? now - found.receivedAt : 0;
  const isOld = age > FRESH_MS && (found.isPaused || found.error !== null);
  const count = `${places.length}${found.hasMore ? '+' : ''} ${places.length === 1 ? 'place' : 'places'}`;

  const items = places.map((place) => (
    <PlaceCard
      key={place.id}
      place={place}
      here={here}
      to={address.pageOf(place.id)}
      isChosen={place.id === tapped}
      isVisited={visitedToday.has(place.id)}
      onOpen={() => onOpen(place.id)}
      onVisit={() => onVisit(place)}
      onAddTip={() => address.open(OPENED.addTip, place.id)}
    />
  ));
  if (found.businesses.length > 0)
    items.splice(
      PLACES_FIRST,
      0,
      <li key="sponsored" className="col-span-full min-w-0 py-1">
        <Sponsored businesses={found.businesses} isNarrow={address.hasMap} />
      </li>,
    );

  return (
    <div className="flex min-w-0 flex-col gap-4">
      {found.error && (
        <ErrorBanner title={searchLocations.failure} onRetry={found.refetch}>
          {errorMessage(found.error, 'We couldn’t reach our server.')}
        </ErrorBanner>
      )}
      {found.isPaused && !found.places && (
        <ErrorBanner look="offline" title="You’re offline">
          The search continues automatically once you’re back online.
        </ErrorBanner>
      )}
      <section aria-labelledby="places" className="flex flex-col gap-3">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          {/* The screen has a title, and the count says the rest. */}
          <h2 id="places" className="sr-only">
            Places to walk
          </h2>
          <p role="status" className="font-bold">
            {found.places ? <span>{`${count} ${within}${around}`}</span> : ''}
            {isOld && <span>{`, as of ${durationWords(age)} ago`}</span>}
          </p>
        </div>
        {!found.places && !found.error && !found.isPaused && (
          <Skeleton label="Loading places…" lines={4} />
        )}
        {found.places && places.length === 0 && (
          <div className="flex flex-col items-center gap-4 rounded-card border border-line bg-surface px-4 py-6 text-center shadow-lift md:py-10">
            {/* On a phone, it would push the other searches out of sight. */}
            <div className="max-md:hidden">
              <Illustration name="places" />
            </div>
            <p className="max-w-sm text-soft">
              No walking locations found {within}. Try a wider radius, or add one you know.
            </p>
            {found.alternatives && (
              <AlternativeSearches alternatives={found.alternatives} address={address} />
            )}
            <Button Icon={MapPinPlus} onClick={() => address.open(OPENED.add)}>
              Add the First Location
            </Button>
          </div>
        )}
        <ul
          className={`grid grid-flow-dense grid-cols-1 items-start gap-3 ${address.hasMap ? '' : 'md:grid-cols-2'}`}
        >
          {items}
        </ul>
        {places.some(({ osm_id }) => osm_id !== null) && <Attributions of={[OSM]} />}
        {found.hasMore && (
          <Button
            look="secondary"
            pending={found.isFetchingMore && 'Loading more places…'}
            onClick={found.fetchMore}
          >
            Show more places
          </Button>
        )}
      </section>
    </div>
  );
}
