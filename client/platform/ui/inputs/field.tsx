import type { ComponentProps, ReactNode } from 'react';
import { FormField } from './form-field.tsx';

/** A labeled text input with a hint and an error. */
export function Field({
  label,
  hint,
  error,
  className = '',
  ...rest
}: ComponentProps<'input'> & { label: ReactNode; hint?: ReactNode; error?: string }) {
  return (
    <FormField label={label} hint={hint} error={error}>
      {(bound) => (
        <input
          {...rest}
          {...bound}
          className={`min-h-12 w-full rounded-control border border-line-strong bg-surface px-3.5 py-2 text-ink placeholder:text-soft aria-invalid:border-2 aria-invalid:border-poor ${className}`}
        />
      )}
    </FormField>
  );
}
