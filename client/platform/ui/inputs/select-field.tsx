import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { FormField } from './form-field.tsx';

export interface Option {
  value: string;
  name: string;
  disabled?: boolean;
}

/** Returns options. @param names labels of the values, in order */
export const optionsOf = <Value extends string>(names: Readonly<Record<Value, string>>) =>
  Object.entries<string>(names).map(([value, name]) => ({ value: value as Value, name }));

/** A labeled select. */
export function SelectField({
  label,
  options,
  hint,
  error,
  className,
  isLabelHidden,
  ...rest
}: ComponentProps<'select'> & {
  label: string;
  options: readonly Option[];
  hint?: string;
  error?: string | undefined;
  isLabelHidden?: boolean;
}) {
  return (
    <FormField
      label={label}
      hint={hint}
      error={error}
      className={className}
      isLabelHidden={isLabelHidden}
    >
      {(bound) => (
        // The browser's own arrow touches the border.
        <div className="relative">
          <select
            {...rest}
            {...bound}
            className="min-h-12 w-full appearance-none truncate rounded-control border border-line-strong bg-surface py-2 pr-8 pl-3 text-ink"
          >
            {options.map(({ value, name, disabled }) => (
              <option key={value} value={value} disabled={disabled}>
                {name}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute top-1/2 right-2 size-5 -translate-y-1/2 text-soft"
          />
        </div>
      )}
    </FormField>
  );
}
