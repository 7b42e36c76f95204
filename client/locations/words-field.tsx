import { useId } from 'react';
import { FieldError } from '../ui/field-error.tsx';

/** A labelled box for words that are needed. */
export function WordsField({
  label,
  hint,
  value,
  onChange,
  max,
  rows = 4,
  error,
}: {
  label: string;
  hint?: string;
  value: string;
  onChange: (words: string) => void;
  /** In characters. */
  max: number;
  rows?: number;
  error?: string | undefined;
}) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        maxLength={max}
        required
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
