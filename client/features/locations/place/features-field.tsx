import { Checkbox } from '../../../platform/ui/inputs/checkbox.tsx';
import { FEATURES } from '../place-types.ts';

export type FeatureField = (typeof FEATURES)[number]['field'];

/** The features of a place, to be checked. */
export function FeaturesField({
  isChecked,
  onChange,
}: {
  isChecked: (field: FeatureField) => boolean;
  onChange: (field: FeatureField, checked: boolean) => void;
}) {
  return (
    <fieldset className="flex flex-col">
      <legend className="mb-1 font-bold">Features</legend>
      {FEATURES.map(({ field, name, Icon }) => (
        <Checkbox
          key={field}
          label={name}
          Icon={Icon}
          checked={isChecked(field)}
          onChange={(checked) => onChange(field, checked)}
        />
      ))}
    </fieldset>
  );
}
