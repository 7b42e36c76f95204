import type { ComponentProps, ReactNode } from 'react';
import { FormField } from './form-field.tsx';

/** A labeled text area with a hint and an error. A text over `maxLength` is shown, for its author to shorten: browsers cut pasted ones. */
export function TextArea({
  label,
  hint,
  error,
  className = '',
  maxLength,
  ...rest
}: ComponentProps<'textarea'> & {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
}) {
  const { value = '' } = rest;
  const excess = maxLength === undefined ? 0 : String(value).trim().length - maxLength;
  return (
    <FormField
      label={label}
      hint={hint}
      error={excess > 0 ? `Please shorten it by ${excess}` : error}
    >
      {(bound) => (
        <textarea
          rows={4}
          {...rest}
          {...bound}
          className={`w-full rounded-control border border-line-strong bg-surface px-3.5 py-2 text-ink placeholder:text-soft aria-invalid:border-2 aria-invalid:border-poor ${className}`}
        />
      )}
    </FormField>
  );
}
