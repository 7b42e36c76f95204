import {
  LocateFixed,
  BedDouble,
  House,
  Scissors,
  ShoppingBag,
  Stethoscope,
  Store,
  Trees,
  Utensils,
  Wrench,
  type LucideIcon,
} from 'lucide-react';
import { useId } from 'react';
import { AD_DESCRIPTION_MAX } from '#shared/ads/rules.ts';
import {
  BUSINESS_TYPE_NAMES,
  businessType,
  type BusinessType,
} from '#shared/advertisers/business-types.ts';
import {
  ADDRESS_MAX,
  NAME_MAX,
  PHONE_MAX,
  RADIUS_STEP,
  LISTING_RADIUS_MAX_MILES,
} from '#shared/advertisers/rules.ts';
import { typedPoint } from '../../platform/map/degrees.ts';
import { useFindPosition } from '../../platform/position/use-find-position.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { FieldError } from '../../platform/ui/inputs/field-error.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { MessageField } from '../../platform/ui/inputs/message-field.tsx';
import { optionalLabel } from '../../platform/ui/inputs/optional-label.tsx';
import { PinField } from '../geocoder/pin-field.tsx';
import type { Draft } from './signup/draft.ts';

/** The fields of a business listing. */
export function LocalFields({
  local,
  fields,
  change,
}: {
  local: Draft['local'];
  fields: Record<string, string>;
  change: (changes: Partial<Draft['local']>) => void;
}) {
  const input = (name: keyof Draft['local']) => ({
    name,
    value: local[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
    error: fields[name],
  });
  return (
    <>
      <Field {...input('business_name')} label="Business name" maxLength={NAME_MAX} required />
      <BusinessTypes
        chosen={local.business_type}
        onChoose={(business_type) => change({ business_type })}
      />
      <MessageField
        label="Description"
        value={local.description}
        onChange={(description) => change({ description })}
        max={AD_DESCRIPTION_MAX}
        error={fields['description']}
        required
      />
      <PinField
        legend="Where your business is"
        value={local}
        errors={fields}
        radiusMiles={Number(local.search_radius_miles) || undefined}
        isRequired
        onChange={change}
      >
        <PositionButton onFound={change} />
      </PinField>
      <Field
        {...input('search_radius_miles')}
        label="Search radius in miles"
        hint="Owners within this distance of your business can see it."
        type="number"
        min={RADIUS_STEP}
        max={LISTING_RADIUS_MAX_MILES}
        step={RADIUS_STEP}
        required
      />
      <Field
        {...input('address')}
        label={optionalLabel('Address')}
        autoComplete="street-address"
        maxLength={ADDRESS_MAX}
      />
      <Field
        {...input('phone')}
        label={optionalLabel('Phone')}
        hint="Shown as a Call button."
        type="tel"
        autoComplete="tel"
        maxLength={PHONE_MAX}
      />
      <Field
        {...input('website_url')}
        label={optionalLabel('Website')}
        type="url"
        inputMode="url"
        placeholder="https://"
        autoComplete="url"
      />
    </>
  );
}

function BusinessTypes({ chosen, onChoose }: { chosen: string; onChoose: (type: string) => void }) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-bold">Business type</legend>
      <div className="grid grid-cols-3 gap-2">
        {businessType.options.map((type) => {
          const Icon = BUSINESS_ICONS[type];
          return (
            <label
              key={type}
              className="flex min-h-18 cursor-pointer flex-col items-center justify-center gap-1 rounded-control border border-line-strong bg-surface p-2 text-center text-sm font-bold has-checked:border-2 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="business_type"
                value={type}
                checked={chosen === type}
                onChange={() => onChoose(type)}
                className="sr-only"
              />
              <Icon aria-hidden className="size-5" />
              {BUSINESS_TYPE_NAMES[type]}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

const FAILURE = 'Unable to get current location';
const NOT_FOUND = { unsupported: FAILURE, denied: FAILURE, unavailable: FAILURE };

/** Fills in this device's position, for advertisers who sign up at their business. */
function PositionButton({
  onFound,
}: {
  onFound: (place: { latitude: string; longitude: string }) => void;
}) {
  const id = useId();
  const { find, isFinding, problem } = useFindPosition({ messages: NOT_FOUND });
  const fillIn = async () => {
    const found = await find();
    if (found) onFound(typedPoint(found));
  };

  return (
    <div className="flex flex-col gap-1.5">
      <Button
        look="secondary"
        onClick={() => void fillIn()}
        pending={isFinding && 'Looking…'}
        aria-describedby={id}
        Icon={LocateFixed}
      >
        Use my current location
      </Button>
      <FieldError id={id}>{problem}</FieldError>
    </div>
  );
}

/** Icons of business types. */
const BUSINESS_ICONS: Record<BusinessType, LucideIcon> = {
  restaurant: Utensils,
  hotel: BedDouble,
  veterinary: Stethoscope,
  pet_store: ShoppingBag,
  grooming: Scissors,
  boarding: House,
  park: Trees,
  service: Wrench,
  other: Store,
};
