import { useState } from 'react';
import { METERS_PER_FOOT } from '#shared/place.ts';
import {
  displaced,
  isSureOf,
  QUIET_PLACE_NAME_MAX,
  QUIET_PLACES_MAX,
  QUIET_RADIUS,
  type QuietPlace,
} from '#shared/settings/rules.ts';
import type { Units } from '#shared/units.ts';
import { Form } from '../../platform/forms/form.tsx';
import { InvalidForm, useSubmit } from '../../platform/forms/use-submit.ts';
import { findPosition } from '../../platform/position/find-position.ts';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { useSettings } from './use-settings.ts';
import { useUnits } from './use-units.ts';

const SIZES = [
  { feet: QUIET_RADIUS.min, name: 'Small' },
  { feet: QUIET_RADIUS.usual, name: 'Medium' },
  { feet: 1000, name: 'Large' },
  { feet: QUIET_RADIUS.max, name: 'Extra large' },
];

/** Shown if the position isn't accurate enough for a zone of that size. */
function unsureWords(accuracyMeters: number, units: Units): string {
  if (!Number.isFinite(accuracyMeters))
    return 'Your device doesn’t know how accurate your location is. Try again outdoors, with precise location allowed.';
  const feet = Math.ceil(accuracyMeters / METERS_PER_FOOT / 50) * 50;
  const isOfUse = isSureOf(accuracyMeters, QUIET_RADIUS.max);
  return `Your location is only accurate to about ${units.near(units.roundUp(feet))}. ${isOfUse ? 'Choose a larger size, or try' : 'Try'} again outdoors, with precise location allowed.`;
}

/** Creates a quiet place at the owner's position, or edits the name and size of one. */
export function QuietPlaceForm({ edited, onDone }: { edited?: QuietPlace; onDone: () => void }) {
  const units = useUnits();
  const { quietPlaces, addQuietPlace, editQuietPlace } = useSettings();
  const [typed, setTyped] = useState<string | null>(null);
  const [radius_feet, setRadius] = useState<number>(edited?.radius_feet ?? QUIET_RADIUS.usual);
  const name = (typed ?? edited?.name ?? (quietPlaces?.length ? '' : 'Home')).trim();
  // The center was shifted by part of the zone's size, so the actual place may lie outside a smaller zone.
  const sizes = SIZES.filter(({ feet }) => !edited || feet >= edited.radius_feet);
  const isFull = !edited && (quietPlaces?.length ?? 0) >= QUIET_PLACES_MAX;

  const form = useSubmit(async () => {
    if (!name) throw new InvalidForm({ name: 'Required' });
    // Only what was changed here: another device may have changed the rest.
    if (edited)
      editQuietPlace(edited.id, {
        ...(name !== edited.name && { name }),
        ...(radius_feet !== edited.radius_feet && { radius_feet }),
      });
    else {
      const here = await findPosition();
      if (!isSureOf(here.accuracy, radius_feet))
        throw new InvalidForm({}, unsureWords(here.accuracy, units));
      const center = displaced(here, radius_feet, Math.random);
      addQuietPlace({ name, radius_feet, ...center });
    }
    onDone();
  });

  if (isFull) return <p>You can have up to {QUIET_PLACES_MAX} quiet places. Remove one first.</p>;
  return (
    <Form
      form={form}
      submit={edited ? 'Save' : 'Add quiet place here'}
      pending="Waiting for your location…"
      onCancel={onDone}
      isInView
      className="gap-5"
    >
      <Field
        label="Name"
        value={typed ?? edited?.name ?? name}
        onChange={(event) => setTyped(event.target.value)}
        error={typed !== null && !typed.trim() ? 'Required' : form.fields['name']}
        maxLength={QUIET_PLACE_NAME_MAX}
        autoComplete="off"
        required
      />
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 font-bold">Size</legend>
        {sizes.map(({ feet, name: size }) => (
          <label key={feet} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="radio"
              name="radius_feet"
              value={feet}
              checked={radius_feet === feet}
              onChange={() => setRadius(feet)}
              className="size-5 shrink-0 accent-accent"
            />
            {size}: {units.around(feet)} around
          </label>
        ))}
        {sizes.length < SIZES.length && (
          <p className="text-sm text-soft">
            For a smaller size, remove this place and add it again while you’re there.
          </p>
        )}
      </fieldset>
    </Form>
  );
}
