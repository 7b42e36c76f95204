import { useId } from 'react';
import { FieldError } from './field-error.tsx';
import { optionalLabel } from './optional-label.tsx';

/** A labelled box for a few words, which counts them. They are optional unless it says `required`. */
export function MessageField({
  label = 'Message',
  hint,
  value,
  onChange,
  max,
  rows = 3,
  error,
  required = false,
}: {
  label?: string;
  hint?: string;
  value: string;
  onChange: (message: string) => void;
  /** In characters. */
  max: number;
  rows?: number;
  error?: string | undefined;
  required?: boolean;
}) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {required ? label : optionalLabel(label)}
      </label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        maxLength={max}
        required={required}
        aria-invalid={Boolean(error)}
        aria-describedby={`${id}-hint ${id}-error`}
        className="w-full rounded-control border border-line-strong bg-surface px-3.5 py-2 text-ink placeholder:text-soft aria-invalid:border-2 aria-invalid:border-poor"
      />
      <p id={`${id}-hint`} className="flex justify-between gap-3 text-sm text-soft tabular-nums">
        <span>{hint}</span>
        <span className="shrink-0">
          {value.length} of {max}
        </span>
      </p>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
