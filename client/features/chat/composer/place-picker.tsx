import { MapPin } from 'lucide-react';
import { useState } from 'react';
import { LOCATION_NAME_MAX } from '#shared/locations/rules.ts';
import { searchText } from '#shared/normalization/search-text.ts';
import { useUser } from '../../../platform/session/use-auth.tsx';
import { ButtonLink } from '../../../platform/ui/buttons/button.tsx';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { SearchField } from '../../../platform/ui/inputs/search-field.tsx';
import { lastSearch } from '../../locations/search/use-places.ts';

interface Place {
  id: string;
  name: string;
}

/** Chooses a place for a message, from the places that the user searched for last; also offline. */
export default function PlacePicker({
  onPick,
  onClose,
}: {
  onPick: (place: Place) => void;
  onClose: () => void;
}) {
  const userId = useUser()?.id ?? '';
  const [places] = useState(() => lastSearch(userId)?.answer.locations ?? []);
  const [term, setTerm] = useState('');
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
              ? 'None of the places you searched for last match.'
              : 'The places you search for show up here.'}
          </p>
        )}
        <ButtonLink look="secondary" to="/locations">
          Find places
        </ButtonLink>
      </div>
    </Modal>
  );
}
