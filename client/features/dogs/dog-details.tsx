import { useId } from 'react';
import { BREEDS } from '#shared/dogs/breeds.ts';
import { birthYears, dogCoat, dogSize, type DogFields } from '#shared/dogs/contract.ts';
import { BREED_MAX } from '#shared/dogs/rules.ts';
import { COAT_WORDS, SIZE_WORDS } from '#shared/dogs/words.ts';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { optionalLabel } from '../../platform/ui/inputs/optional-label.tsx';
import { optionsOf, SelectField } from '../../platform/ui/inputs/select-field.tsx';

/** A dog's details as the user typed them. */
export interface TypedDetails extends Required<Pick<DogFields, 'size' | 'coat' | 'notes'>> {
  breed: string;
  birth_year: string;
}

const UNKNOWN = { value: '', name: 'Not set' };

/** Returns the error of a typed year of birth, or undefined. */
export function birthYearProblem(typed: string): string | undefined {
  const { min, max } = birthYears();
  const year = Number(typed);
  const isValid = typed.trim() === '' || (Number.isInteger(year) && year >= min && year <= max);
  return isValid ? undefined : `Enter a year from ${min} to ${max}, or leave it empty`;
}

/** The details of a dog, all of them optional: breed, size, coat and year of birth. */
export function DogDetails({
  details,
  onChange,
  breedError,
}: {
  details: TypedDetails;
  onChange: (changed: Partial<TypedDetails>) => void;
  breedError: string | undefined;
}) {
  const breeds = useId();
  const { breed, size, coat, birth_year } = details;
  return (
    <>
      <Field
        label={optionalLabel('Breed')}
        value={breed}
        onChange={(event) => onChange({ breed: event.target.value })}
        error={breedError}
        maxLength={BREED_MAX}
        list={breeds}
        autoComplete="off"
      />
      <datalist id={breeds}>
        {BREEDS.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <div className="grid grid-cols-1 gap-5 min-[20rem]:grid-cols-2">
        <SelectField
          label="Size"
          value={size ?? ''}
          onChange={(event) =>
            onChange({ size: dogSize.safeParse(event.target.value).data ?? null })
          }
          options={[UNKNOWN, ...optionsOf(SIZE_WORDS)]}
        />
        <SelectField
          label="Coat"
          value={coat ?? ''}
          onChange={(event) =>
            onChange({ coat: dogCoat.safeParse(event.target.value).data ?? null })
          }
          options={[UNKNOWN, ...optionsOf(COAT_WORDS)]}
        />
      </div>
      <Field
        label={optionalLabel('Year of birth')}
        type="number"
        inputMode="numeric"
        {...birthYears()}
        value={birth_year}
        onChange={(event) => onChange({ birth_year: event.target.value })}
        error={birthYearProblem(birth_year.length < 4 ? '' : birth_year)}
        autoComplete="off"
      />
    </>
  );
}
