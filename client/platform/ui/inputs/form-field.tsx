import { useContext, useId, type ReactNode } from 'react';
import { FieldProblems } from '../../forms/field-problems.ts';
import { FieldError } from './field-error.tsx';

/** Attributes that connect an input with its label, hint and error. */
interface Bound {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string;
}

/** A form field with a label, an input, a hint and an error. */
export function FormField({
  label,
  hint,
  error: ownError,
  className = '',
  isLabelHidden = false,
  children,
}: {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  /** Classes of the outer element. */
  className?: string;
  /** Whether only screen readers get the label: where a placeholder repeats it. */
  isLabelHidden?: boolean;
  children: (bound: Bound) => ReactNode;
}) {
  const id = useId();
  const problem = useContext(FieldProblems)[id];
  const error = ownError ?? problem;
  return (
    <div className={`flex flex-col gap-1.5 ${className}`}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'font-bold'}>
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
