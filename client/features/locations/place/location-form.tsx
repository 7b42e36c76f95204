import { useState } from 'react';
import { toast } from 'sonner';
import { createLocation, locationFields, updateLocation } from '#shared/locations/contract.ts';
import {
  LOCATION_ADDRESS_MAX,
  LOCATION_DESCRIPTION_MAX,
  LOCATION_NAME_MAX,
} from '#shared/locations/rules.ts';
import { type LocationType, type WalkLocation } from '#shared/locations/schemas.ts';
import { cutText } from '#shared/normalization/cut-text.ts';
import type { Place } from '#shared/place.ts';
import { isTooRough } from '#shared/proximity/rules.ts';
import { Form } from '../../../platform/forms/form.tsx';
import {
  InvalidForm,
  parseForm,
  requireValid,
  useSubmit,
} from '../../../platform/forms/use-submit.ts';
import { degreesOf, typedPoint } from '../../../platform/map/degrees.ts';
import { findPosition, PLACES_MESSAGES } from '../../../platform/position/find-position.ts';
import { Checkbox } from '../../../platform/ui/inputs/checkbox.tsx';
import { Field } from '../../../platform/ui/inputs/field.tsx';
import { MessageField } from '../../../platform/ui/inputs/message-field.tsx';
import { optionalLabel } from '../../../platform/ui/inputs/optional-label.tsx';
import { SelectField } from '../../../platform/ui/inputs/select-field.tsx';
import { confirmPoint, HerePinField } from '../../geocoder/here-pin-field.tsx';
import { useContentFilter } from '../../moderation/use-content-filter.ts';
import { choicesOf, LOCATION_KINDS } from '../place-types.ts';
import { FeaturesField } from './features-field.tsx';
import { usePlaceActions } from './use-place-actions.ts';

const BLANK = {
  name: '',
  description: '',
  address: '',
  latitude: '0',
  longitude: '0',
  location_type: 'park' as LocationType,
  leash_required: false,
  parking_available: false,
  water_available: false,
  restrooms_available: false,
  off_leash: false,
  fenced: false,
  lit: false,
  is_public: true,
};

type Typed = typeof BLANK;
type TextName = 'name' | 'description' | 'address';

const typedOf = (place: WalkLocation): Typed => ({
  ...place,
  latitude: String(place.latitude),
  longitude: String(place.longitude),
});

/** Shown if the position is accurate enough for a search, but not to place a location. */
const TOO_ROUGH =
  'Your location isn’t accurate enough. Try again outdoors with precise location allowed, or enter the coordinates.';

const isZero = (typed: string): boolean => typed.trim() === '' || Number(typed) === 0;

/** Adds a place, or edits the user's own. If both coordinates are zero, fills in this device's position to confirm. */
export function LocationForm({
  edited,
  view = null,
  onHere,
  onDone,
}: {
  edited: WalkLocation | null;
  /** What the map shows at first. */
  view?: Place | null;
  /** Called with this device's position whenever it was determined. */
  onHere: (here: Place) => void;
  onDone: () => void;
}) {
  const { addPlace, editPlace } = usePlaceActions();
  const filter = useContentFilter();
  const [typed, setTyped] = useState<Typed>(() => (edited ? typedOf(edited) : BLANK));
  /** @throws with a message for the user */
  async function find(): Promise<Place> {
    const found = await findPosition({ isFresh: true, messages: PLACES_MESSAGES });
    if (isTooRough(found)) throw new InvalidForm({}, TOO_ROUGH);
    const here = { latitude: found.latitude, longitude: found.longitude };
    onHere(here);
    return here;
  }

  const submit = edited ? 'Save' : 'Add Location';
  const form = useSubmit(async () => {
    const isHere = isZero(typed.latitude) && isZero(typed.longitude);
    const where = isHere
      ? { latitude: 0, longitude: 0 }
      : { latitude: degreesOf(typed.latitude), longitude: degreesOf(typed.longitude) };
    const place = parseForm(locationFields, { ...typed, ...where });
    const { name, description, address } = typed;
    requireValid(filter('location', typed.is_public ? { name, description, address } : {}));
    if (isHere) {
      const here = typedPoint(await find());
      setTyped((before) => ({ ...before, ...here }));
      throw confirmPoint(submit);
    }
    try {
      await (edited ? editPlace(edited.id, place) : addPlace(place));
    } catch (error) {
      console.error('Failed to store the place', error);
      throw new InvalidForm({}, (edited ? updateLocation : createLocation).failure);
    }
    onDone();
    const isCorrection = edited !== null && edited.osm_id !== null;
    toast(
      isCorrection ? `Thanks for correcting ${name}` : `${edited ? 'Saving' : 'Adding'} ${name}`,
    );
  });
  const set = (more: Partial<Typed>) => {
    setTyped((before) => ({ ...before, ...more }));
    form.clear(...Object.keys(more));
  };

  // What somebody typed isn't replaced by what was looked up.
  const [isAddressTyped, setAddressTyped] = useState(Boolean(edited?.address));
  const bind = form.bind<TextName>(typed, (name, text) => {
    if (name === 'address') setAddressTyped(text !== '');
    set({ [name]: text });
  });

  return (
    <Form form={form} submit={submit} onCancel={onDone} isInView>
      <Field
        label="Name"
        {...bind('name')}
        maxLength={LOCATION_NAME_MAX}
        autoComplete="off"
        required
      />
      <HerePinField
        legend="Where is it?"
        value={typed}
        form={form}
        find={find}
        isMapFirst
        view={view}
        hint="If both stay at 0, we fill in where you are for you to check."
        onAddress={(found) => {
          if (isAddressTyped || typed.address === found) return;
          setTyped((before) => ({ ...before, address: cutText(found, LOCATION_ADDRESS_MAX) }));
        }}
        onChange={set}
      />
      <SelectField
        label="Location type"
        options={choicesOf(LOCATION_KINDS)}
        value={typed.location_type}
        onChange={(event) => set({ location_type: event.target.value as LocationType })}
      />
      <MessageField label="Description" {...bind('description')} max={LOCATION_DESCRIPTION_MAX} />
      <Field
        label={optionalLabel('Address')}
        {...bind('address')}
        hint="Filled in from the point; correct it if it’s wrong."
        maxLength={LOCATION_ADDRESS_MAX}
        autoComplete="off"
      />
      <FeaturesField
        isChecked={(field) => typed[field]}
        onChange={(field, checked) => set({ [field]: checked })}
      />
      {!edited?.osm_id && (
        <Checkbox
          label="Everyone can see it"
          hint="Otherwise only you can find this place."
          checked={typed.is_public}
          onChange={(is_public) => set({ is_public })}
        />
      )}
    </Form>
  );
}
