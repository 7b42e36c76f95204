import { useId, type ComponentProps } from 'react';

export interface Option {
  value: string;
  name: string;
}

/** @param names how each value is called, in the order in which they are offered */
export const optionsOf = <Value extends string>(names: Readonly<Record<Value, string>>) =>
  Object.entries<string>(names).map(([value, name]) => ({ value: value as Value, name }));

/** A labelled choice of one among several. */
export function SelectField({
  label,
  options,
  hint,
  className = '',
  ...rest
}: ComponentProps<'select'> & { label: string; options: readonly Option[]; hint?: string }) {
  const id = useId();
  return (
    <div className={`flex flex-col gap-1.5 ${className}`}>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <select
        {...rest}
        id={id}
        aria-describedby={hint && `${id}-hint`}
        className="min-h-12 w-full rounded-control border border-line-strong bg-surface py-2 pr-1.5 pl-3 text-ink"
      >
        {options.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
    </div>
  );
}
