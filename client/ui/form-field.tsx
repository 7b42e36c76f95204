import { useId, type ReactNode } from 'react';
import { FieldError } from './field-error.tsx';

/** How an input is found by its label, its hint and what is wrong with it. */
interface Bound {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string;
}

/** A label, the input that belongs to it, a hint and, when there is one, what is wrong with it. */
export function FormField({
  label,
  hint,
  error,
  className = '',
  children,
}: {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  /** Of the whole. */
  className?: string;
  children: (bound: Bound) => ReactNode;
}) {
  const id = useId();
  return (
    <div className={`flex flex-col gap-1.5 ${className}`}>
      <label htmlFor={id} className="font-bold">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': Boolean(error),
        'aria-describedby': `${id}-hint ${id}-error`,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
