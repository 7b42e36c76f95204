import { LocateFixed } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { fieldsOf } from '#shared/endpoint.ts';
import { createLocation, locationFields, updateLocation } from '#shared/locations/contract.ts';
import {
  LOCATION_ADDRESS_MAX,
  LOCATION_DESCRIPTION_MAX,
  LOCATION_NAME_MAX,
  type LocationType,
  type WalkLocation,
} from '#shared/locations/shapes.ts';
import type { Place } from '#shared/place.ts';
import { useContentFilter } from '../moderation/use-content-filter.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Field } from '../ui/field.tsx';
import { MessageField } from '../ui/message-field.tsx';
import { optionalLabel } from '../ui/optional-label.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { useProblems } from '../use-problems.ts';
import { NO_LOCATION, findHere } from './here.ts';
import { choicesOf, FEATURES, LOCATION_KINDS } from './kinds.ts';
import { Tick } from '../ui/tick.tsx';
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
  is_public: true,
};

type Typed = typeof BLANK;

const typedOf = (place: WalkLocation): Typed => ({
  ...place,
  latitude: String(place.latitude),
  longitude: String(place.longitude),
});

const isZero = (typed: string): boolean => typed.trim() === '' || Number(typed) === 0;
const degrees = (typed: string): number | undefined =>
  typed.trim() === '' ? undefined : Number(typed);

/** Adds a place, or changes one's own. Where both coordinates are zero, it is where this device is. */
export function LocationForm({
  edited,
  onHere,
  onDone,
}: {
  edited: WalkLocation | null;
  /** Hears where this device is, whenever it was looked for. */
  onHere: (here: Place) => void;
  onDone: () => void;
}) {
  const { addPlace, editPlace } = usePlaceActions();
  const { form, words, fields, show, forgive } = useProblems();
  const filter = useContentFilter();
  const [typed, setTyped] = useState<Typed>(() => (edited ? typedOf(edited) : BLANK));
  const [busy, setBusy] = useState<'finding' | 'saving' | null>(null);
  const set = (more: Partial<Typed>) => {
    setTyped((before) => ({ ...before, ...more }));
    for (const name of Object.keys(more)) forgive(name);
  };

  /** @param why what the button says meanwhile that was pressed */
  async function find(why: 'finding' | 'saving'): Promise<Place | null> {
    show('');
    setBusy(why);
    try {
      const found = await findHere(true);
      onHere(found);
      return found;
    } catch (error) {
      show(error instanceof Error ? error.message : NO_LOCATION);
      return null;
    } finally {
      setBusy(null);
    }
  }

  async function fillIn() {
    const found = await find('finding');
    if (!found) return;
    set({ latitude: found.latitude.toFixed(5), longitude: found.longitude.toFixed(5) });
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const isHere = isZero(typed.latitude) && isZero(typed.longitude);
    const where = isHere
      ? { latitude: 0, longitude: 0 }
      : { latitude: degrees(typed.latitude), longitude: degrees(typed.longitude) };
    const parsed = locationFields.safeParse({ ...typed, ...where });
    show('', fieldsOf(parsed.error));
    if (!parsed.success) return;
    const { name, description, address } = typed;
    const refused = filter('location', typed.is_public ? { name, description, address } : {});
    if (Object.keys(refused).length > 0) return void show('', refused);
    // Now: whoever searched at home may stand elsewhere since.
    const found = isHere ? await find('saving') : null;
    // Why it was not found is shown by then.
    if (isHere && !found) return;
    setBusy('saving');
    const place = { ...parsed.data, ...found };
    try {
      await (edited ? editPlace(edited.id, place) : addPlace(place));
      onDone();
    } catch (error) {
      console.error('The place was not kept', error);
      show((edited ? updateLocation : createLocation).failure);
      setBusy(null);
    }
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => void save(event)}
      noValidate
      className="flex flex-col gap-4"
    >
      <Field
        label="Name"
        value={typed.name}
        onChange={(event) => set({ name: event.target.value })}
        error={fields['name']}
        maxLength={LOCATION_NAME_MAX}
        autoComplete="off"
        required
      />
      <SelectField
        label="Location type"
        options={choicesOf(LOCATION_KINDS)}
        value={typed.location_type}
        onChange={(event) => set({ location_type: event.target.value as LocationType })}
      />
      <MessageField
        label="Description"
        value={typed.description}
        onChange={(description) => set({ description })}
        max={LOCATION_DESCRIPTION_MAX}
        error={fields['description']}
      />
      <Field
        label={optionalLabel('Address')}
        value={typed.address}
        onChange={(event) => set({ address: event.target.value })}
        error={fields['address']}
        maxLength={LOCATION_ADDRESS_MAX}
        autoComplete="off"
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-bold">Where it is</legend>
        <div className="grid grid-cols-2 gap-3">
          <Field
            label="Latitude"
            inputMode="decimal"
            value={typed.latitude}
            onChange={(event) => set({ latitude: event.target.value })}
            error={fields['latitude']}
            autoComplete="off"
          />
          <Field
            label="Longitude"
            inputMode="decimal"
            value={typed.longitude}
            onChange={(event) => set({ longitude: event.target.value })}
            error={fields['longitude']}
            autoComplete="off"
          />
        </div>
        <p className="text-sm text-soft">Leave both at 0 for where you are now.</p>
        <Button
          look="secondary"
          pending={busy === 'finding' && 'Looking…'}
          icon={<LocateFixed aria-hidden className="size-5 shrink-0" />}
          onClick={() => void fillIn()}
        >
          Use My Location
        </Button>
      </fieldset>
      <fieldset className="flex flex-col">
        <legend className="mb-1 font-bold">What it has</legend>
        {FEATURES.map(({ field, name, Icon }) => (
          <Tick
            key={field}
            label={name}
            Icon={Icon}
            checked={typed[field]}
            onChange={(checked) => set({ [field]: checked })}
          />
        ))}
      </fieldset>
      <Tick
        label="Everyone can see it"
        hint="Otherwise only you find this place."
        checked={typed.is_public}
        onChange={(is_public) => set({ is_public })}
      />
      {words && <ErrorBanner>{words}</ErrorBanner>}
      <div className="actions">
        <Button look="secondary" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" wide pending={busy === 'saving' && 'Saving…'}>
          {edited ? 'Save' : 'Add Location'}
        </Button>
      </div>
    </form>
  );
}
