import { LocateFixed, MapPin } from 'lucide-react';
import { useState } from 'react';
import { searchLocations } from '#shared/locations/contract.ts';
import { LOCATION_NAME_MAX, SEARCH_RADIUS } from '#shared/locations/rules.ts';
import { searchText } from '#shared/normalization/search-text.ts';
import { PLACES_MESSAGES } from '../../../platform/position/find-position.ts';
import { useFindPosition } from '../../../platform/position/use-find-position.ts';
import { useUser } from '../../../platform/session/use-auth.tsx';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { SearchField } from '../../../platform/ui/inputs/search-field.tsx';
import type { PlaceQuery } from '../../locations/search/search-params.ts';
import { lastSearch, useFoundPlaces } from '../../locations/search/use-places.ts';

interface Place {
  id: string;
  name: string;
}

const NOWHERE: PlaceQuery = {
  from: null,
  radius: SEARCH_RADIUS.usual,
  type: null,
  features: [],
  near: null,
};

/** Chooses a place for a message: from those that the user searched for last, also offline, or those around them now. */
export default function PlacePicker({
  onPick,
  onClose,
}: {
  onPick: (place: Place) => void;
  onClose: () => void;
}) {
  const userId = useUser()?.id ?? '';
  const [query, setQuery] = useState<PlaceQuery>(() => lastSearch(userId)?.placeQuery ?? NOWHERE);
  const search = useFoundPlaces(query);
  const places = search.places ?? [];
  const { find, isFinding, problem } = useFindPosition({ messages: PLACES_MESSAGES });
  const [term, setTerm] = useState('');
  async function lookAround() {
    const from = await find();
    if (from) setQuery({ ...NOWHERE, from });
  }
  const wanted = searchText(term.trim());
  const shown = places.filter(({ name, address }) =>
    searchText(`${name} ${address ?? ''}`).includes(wanted),
  );
  return (
    <Modal open onClose={onClose} title="Share a Place">
      <div className="flex flex-col gap-3">
        {places.length > 0 && (
          <SearchField
            label="Search your places"
            value={term}
            onChange={setTerm}
            max={LOCATION_NAME_MAX}
          />
        )}
        <ul aria-label="Places" className="-mx-2 flex flex-col divide-y divide-line empty:hidden">
          {shown.map((place) => (
            <li key={place.id}>
              <button
                type="button"
                onClick={() => onPick(place)}
                className="flex min-h-12 w-full items-center gap-3 rounded-control px-2 py-2 text-left hover:bg-sunken"
              >
                <MapPin aria-hidden className="size-5 shrink-0 text-accent" />
                <span className="min-w-0">
                  <span className="block font-bold break-words">{place.name}</span>
                  {place.address && (
                    <span className="block truncate text-sm text-soft">{place.address}</span>
                  )}
                </span>
              </button>
            </li>
          ))}
        </ul>
        {shown.length === 0 && (
          <p className="text-soft">
            {places.length > 0
              ? 'No place here has that name.'
              : search.places
                ? 'There are no places around you yet.'
                : 'Choose from the places around you.'}
          </p>
        )}
        {(problem || search.error) && (
          <p role="alert" className="font-bold text-poor">
            {problem || searchLocations.failure}
          </p>
        )}
        <Button
          look="secondary"
          Icon={LocateFixed}
          pending={(isFinding || search.isFetching) && 'Looking around…'}
          onClick={() => void lookAround()}
        >
          Places near me
        </Button>
      </div>
    </Modal>
  );
}
