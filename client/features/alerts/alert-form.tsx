import { LocateFixed } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { createAlert } from '#shared/alerts/admin-contract.ts';
import type { Severity } from '#shared/alerts/contract.ts';
import {
  DESCRIPTION_MAX,
  INSTRUCTIONS_MAX,
  RADIUS_DEFAULT_MILES,
  RADIUS_MAX_MILES,
  RADIUS_MIN_MILES,
  TITLE_MAX,
} from '#shared/alerts/rules.ts';
import { fieldsOf } from '#shared/endpoint.ts';
import { fromLocalField, LOCAL_FIELD_MAX } from '../../platform/admin/format.ts';
import { Form } from '../../platform/forms/form.tsx';
import { requireValid, useSubmit } from '../../platform/forms/use-submit.ts';
import { typedPoint } from '../../platform/map/degrees.ts';
import { useFindPosition } from '../../platform/position/use-find-position.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { MessageField } from '../../platform/ui/inputs/message-field.tsx';
import { optionalLabel } from '../../platform/ui/inputs/optional-label.tsx';
import { optionsOf, SelectField } from '../../platform/ui/inputs/select-field.tsx';
import { PinField } from '../geocoder/pin-field.tsx';
import { AlertCheck } from './alert-check.tsx';
import { AlertPreview, AlertReach } from './alert-preview.tsx';
import { ALERT_TYPES } from './alert-type-labels.ts';
import { SEVERITY_WORDS } from './severity.tsx';

const EMPTY = {
  alert_type: 'weather',
  severity: 'moderate',
  title: '',
  description: '',
  instructions: '',
  affected_latitude: '',
  affected_longitude: '',
  radius_miles: String(RADIUS_DEFAULT_MILES),
  starts_at: '',
  expires_at: '',
  alert_id: '',
};
type Draft = typeof EMPTY;
const CREATED = createAlert.body!;
/** How long the area stays as it is before its people are counted. */
const SETTLED_MS = 600;

const RANGES: Record<string, string> = {
  affected_latitude: 'A number from -90 to 90',
  affected_longitude: 'A number from -180 to 180',
  radius_miles: `From ${RADIUS_MIN_MILES} to ${RADIUS_MAX_MILES} miles`,
  expires_at: 'Must be after the start and in the future',
};

/** The radius for the map; undefined unless it is in range. */
const radiusOf = (text: string): number | undefined => {
  const miles = numberOf(text);
  return miles >= RADIUS_MIN_MILES && miles <= RADIUS_MAX_MILES ? miles : undefined;
};

/** Converts the fields for the call. An empty field becomes NaN, which is rejected. */
const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));
const bodyOf = (draft: Draft) => ({
  ...draft,
  affected_latitude: numberOf(draft.affected_latitude),
  affected_longitude: numberOf(draft.affected_longitude),
  radius_miles: numberOf(draft.radius_miles),
  starts_at: fromLocalField(draft.starts_at),
  expires_at: fromLocalField(draft.expires_at),
});

/** Creates an alert, which notifies everyone in the affected area. */
export function AlertForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const [draft, setDraft] = useState<Draft>(EMPTY);
  /** What is checked once more before everybody in the area is alerted. */
  const [checked, setChecked] = useState<z.output<typeof CREATED> | null>(null);
  const form = useSubmit(
    async () => {
      const body = bodyOf(draft) as z.input<NonNullable<(typeof createAlert)['body']>>;
      const wrong = Object.entries(fieldsOf(createAlert.body?.safeParse(body).error)).map(
        ([name, message]) => [name, draft[name as keyof Draft] === '' ? 'Required' : message],
      );
      requireValid(Object.fromEntries(wrong));
      setChecked(CREATED.parse(body));
    },
    { staysOpen: true },
  );
  const set = (name: keyof Draft, text: string) =>
    setDraft((before) => ({ ...before, [name]: text }));
  const setPlace = (place: { latitude?: string; longitude?: string }) => {
    form.clear('affected_latitude', 'affected_longitude');
    if (place.latitude !== undefined) set('affected_latitude', place.latitude);
    if (place.longitude !== undefined) set('affected_longitude', place.longitude);
  };
  const field = form.bind(draft, set);
  const bind = (name: keyof Draft) => {
    const props = field(name);
    const range = draft[name] === '' ? undefined : RANGES[name];
    return { ...props, error: props.error && (range ?? props.error), autoComplete: 'off' };
  };

  const area = useSettledArea(draft);
  if (checked)
    return (
      <AlertCheck
        alert={checked}
        body={bodyOf(draft) as z.input<typeof CREATED>}
        onBack={() => setChecked(null)}
        onDone={onDone}
      />
    );
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Form form={form} submit="Check and send" pending="Checking…" onCancel={onCancel}>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField label="Type" options={ALERT_TYPES} {...bind('alert_type')} />
          <SelectField label="Severity" options={optionsOf(SEVERITY_WORDS)} {...bind('severity')} />
        </div>
        <PinField
          legend="Affected area"
          value={{ latitude: draft.affected_latitude, longitude: draft.affected_longitude }}
          errors={{
            latitude: bind('affected_latitude').error,
            longitude: bind('affected_longitude').error,
          }}
          names={{ latitude: 'affected_latitude', longitude: 'affected_longitude' }}
          radiusMiles={radiusOf(draft.radius_miles)}
          isRequired
          onChange={setPlace}
        >
          <HereButton onPlace={(place) => setPlace(typedPoint(place))} />
        </PinField>
        <Field
          label="Radius in miles"
          type="number"
          inputMode="decimal"
          min={RADIUS_MIN_MILES}
          max={RADIUS_MAX_MILES}
          step={0.1}
          {...bind('radius_miles')}
          required
        />
        <Field label="Title" {...bind('title')} maxLength={TITLE_MAX} required />
        <MessageField label="Description" {...bind('description')} max={DESCRIPTION_MAX} required />
        <MessageField
          label="Instructions"
          {...bind('instructions')}
          max={INSTRUCTIONS_MAX}
          rows={2}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={optionalLabel('Starts')}
            type="datetime-local"
            max={LOCAL_FIELD_MAX}
            hint="Leave empty to start now. In your time zone."
            {...bind('starts_at')}
          />
          <Field
            label={optionalLabel('Expires')}
            type="datetime-local"
            max={LOCAL_FIELD_MAX}
            hint="Leave empty for no end time. In your time zone."
            {...bind('expires_at')}
          />
        </div>
        <Field
          label={optionalLabel('Alert ID')}
          hint="Generated if left empty."
          {...bind('alert_id')}
        />
      </Form>
      <aside
        aria-label="Beside the form"
        className="flex flex-col gap-3 max-lg:hidden lg:sticky lg:top-12"
      >
        <p className="font-bold">On a phone</p>
        <AlertPreview
          alert={{
            severity: draft.severity as Severity,
            title: draft.title || 'Title',
            description: draft.description || 'Description',
            instructions: draft.instructions,
          }}
        />
        <AlertReach area={area} />
      </aside>
    </div>
  );
}

/** The area once it is in range and stays as it is for a moment. */
function useSettledArea({ affected_latitude, affected_longitude, radius_miles }: Draft) {
  const typed = `${affected_latitude}|${affected_longitude}|${radius_miles}`;
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  if (settled !== typed) return null;
  const [latitude, longitude] = [numberOf(affected_latitude), numberOf(affected_longitude)];
  const radiusMiles = radiusOf(radius_miles);
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPlace && radiusMiles !== undefined ? { latitude, longitude, radiusMiles } : null;
}

/** Fills in the coordinates of this device. */
function HereButton({
  onPlace,
}: {
  onPlace: (place: { latitude: number; longitude: number }) => void;
}) {
  const { find, isFinding, problem } = useFindPosition();
  return (
    <div>
      <Button
        look="secondary"
        wide
        onClick={() => void find().then((found) => found && onPlace(found))}
        pending={isFinding && 'Finding your location…'}
        Icon={LocateFixed}
      >
        Use my location
      </Button>
      <p role="status" className="mt-1.5 text-sm empty:hidden">
        {problem && 'Location is unavailable on this device. Enter the coordinates instead.'}
      </p>
    </div>
  );
}
