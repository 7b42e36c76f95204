import { toast } from 'sonner';
import {
  editAdminLocation,
  getAdminLocation,
  locationTexts,
  type AdminLocation,
} from '#shared/locations/admin-contract.ts';
import {
  LOCATION_ADDRESS_MAX,
  LOCATION_DESCRIPTION_MAX,
  LOCATION_NAME_MAX,
} from '#shared/locations/rules.ts';
import { EditForm } from '../../../platform/admin/list/edit-form.tsx';
import { useEdit } from '../../../platform/admin/list/use-edit.ts';
import { parseForm } from '../../../platform/forms/use-submit.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { degreesOf } from '../../../platform/map/degrees.ts';
import { Field } from '../../../platform/ui/inputs/field.tsx';
import { MessageField } from '../../../platform/ui/inputs/message-field.tsx';
import { optionalLabel } from '../../../platform/ui/inputs/optional-label.tsx';
import { SelectField } from '../../../platform/ui/inputs/select-field.tsx';
import { PinField } from '../../geocoder/pin-field.tsx';
import { choicesOf, FEATURES, LOCATION_KINDS } from '../place-types.ts';
import { FeaturesField, type FeatureField } from './features-field.tsx';

const POINT = ['latitude', 'longitude'] as const;

const draftOf = (place: AdminLocation) => ({
  name: place.name,
  description: place.description,
  address: place.address,
  location_type: place.location_type as string,
  latitude: String(place.latitude),
  longitude: String(place.longitude),
  leash_required: yesNo(place.leash_required),
  parking_available: yesNo(place.parking_available),
  water_available: yesNo(place.water_available),
  restrooms_available: yesNo(place.restrooms_available),
  off_leash: yesNo(place.off_leash),
  fenced: yesNo(place.fenced),
  lit: yesNo(place.lit),
});
type Draft = ReturnType<typeof draftOf>;

const yesNo = (is: boolean): string => (is ? 'Yes' : 'No');

const LABELS: Record<keyof Draft, string> = {
  name: 'Name',
  description: 'Description',
  address: 'Address',
  location_type: 'Location type',
  latitude: 'Latitude',
  longitude: 'Longitude',
  ...(Object.fromEntries(FEATURES.map(({ field, name }) => [field, name])) as Record<
    FeatureField,
    string
  >),
};

/** Returns the changed values as they are sent; both coordinates if one changed. */
function changesIn(draft: Draft, isTouched: (field: string) => boolean): object {
  const isMoved = POINT.some(isTouched);
  const valueOf = (name: string, text: string) => {
    if (FEATURES.some(({ field }) => field === name)) return text === 'Yes';
    if (POINT.some((each) => each === name)) return degreesOf(text);
    return text;
  };
  return Object.fromEntries(
    Object.entries(draft)
      .filter(([name]) => isTouched(name) || (isMoved && POINT.some((each) => each === name)))
      .map(([name, text]) => [name, valueOf(name, text)]),
  );
}

/** Corrects the texts, type, rules and point of a place. */
export function PlaceEditForm({ place, onDone }: { place: AdminLocation; onDone: () => void }) {
  const edit = useEdit({
    row: place,
    draftOf,
    reload: async () => (await call(getAdminLocation, { params: { id: place.id } })).location,
    async save({ draft, version, isTouched }) {
      const body = parseForm(locationTexts, changesIn(draft, isTouched));
      await call(editAdminLocation, { params: { id: place.id }, body: { ...body, version } });
      toast(`${draft.name} saved`);
      void queries.invalidateQueries({ queryKey: ['admin', 'locations'] });
      onDone();
    },
  });
  const { draft, form, set, bind } = edit;
  return (
    <EditForm edit={edit} labels={LABELS} submit="Save" onCancel={onDone}>
      <Field
        label={LABELS.name}
        {...bind('name')}
        maxLength={LOCATION_NAME_MAX}
        autoComplete="off"
        required
      />
      <SelectField
        label={LABELS.location_type}
        options={choicesOf(LOCATION_KINDS)}
        {...bind('location_type')}
      />
      <MessageField
        label={LABELS.description}
        {...bind('description')}
        max={LOCATION_DESCRIPTION_MAX}
      />
      <Field
        label={optionalLabel(LABELS.address)}
        {...bind('address')}
        maxLength={LOCATION_ADDRESS_MAX}
        autoComplete="off"
      />
      <PinField
        legend="Coordinates"
        value={draft}
        errors={form.fields}
        isRequired
        onChange={(moved) => {
          for (const [name, value] of Object.entries(moved)) set(name, value);
        }}
      />
      <FeaturesField
        isChecked={(field) => draft[field] === 'Yes'}
        onChange={(field, checked) => set(field, yesNo(checked))}
      />
    </EditForm>
  );
}
