import { optionalLabel } from './optional-label.tsx';
import { TextArea } from './text-area.tsx';

/** A labeled text area with a character count; optional unless `required`. */
export function MessageField({
  label = 'Message',
  min,
  hint = min === undefined ? undefined : `At least ${min} characters.`,
  name,
  value,
  onChange,
  max,
  rows = 3,
  error,
  required = false,
}: {
  label?: string;
  hint?: string;
  name?: string;
  value: string;
  onChange: (message: string) => void;
  /** In characters. */
  min?: number;
  max: number;
  rows?: number;
  error?: string | undefined;
  required?: boolean;
}) {
  return (
    <TextArea
      label={required ? label : optionalLabel(label)}
      hint={
        <span className="flex justify-between gap-3 tabular-nums">
          <span>{hint}</span>
          <span className="shrink-0">
            {value.length} of {max}
          </span>
        </span>
      }
      name={name}
      minLength={min}
      rows={rows}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      maxLength={max}
      required={required}
      error={error}
    />
  );
}
