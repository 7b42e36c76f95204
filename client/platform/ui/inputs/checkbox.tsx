import type { LucideIcon } from 'lucide-react';
import { useContext, useId } from 'react';
import { FieldProblems } from '../../forms/field-problems.ts';
import { FieldError } from './field-error.tsx';

/** A labeled checkbox in a form. */
export function Checkbox({
  label,
  hint,
  Icon,
  checked,
  required,
  onChange,
}: {
  label: string;
  hint?: string;
  Icon?: LucideIcon;
  checked: boolean;
  required?: boolean;
  onChange: (checked: boolean) => void;
}) {
  const id = useId();
  const problem = useContext(FieldProblems)[id];
  const box = (
    <label className="flex min-h-11 cursor-pointer items-center gap-3">
      <input
        id={id}
        type="checkbox"
        {...(required && {
          'aria-invalid': problem !== undefined,
          'aria-describedby': `${id}-error`,
        })}
        checked={checked}
        required={required}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5 shrink-0 accent-accent"
      />
      {Icon && <Icon aria-hidden className="size-5 shrink-0 text-soft" />}
      <span>
        <span>{label}</span>
        {hint && <span className="block text-sm text-soft">{hint}</span>}
      </span>
    </label>
  );
  if (!required) return box;
  return (
    <div>
      {box}
      <FieldError id={`${id}-error`}>{problem}</FieldError>
    </div>
  );
}
