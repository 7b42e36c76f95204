import { Search, type LucideIcon } from 'lucide-react';
import { FormField } from './form-field.tsx';

/** A labeled search input. */
export function SearchField({
  label,
  value,
  onChange,
  max,
  onEnter,
  Icon = Search,
  isLabelHidden = false,
  error,
  className,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** In characters. */
  max: number;
  /** Called instead of sending the form around it. */
  onEnter?: (() => void) | undefined;
  Icon?: LucideIcon;
  /** Shows the label as a placeholder. */
  isLabelHidden?: boolean;
  error?: string | undefined;
  className?: string;
}) {
  return (
    <FormField label={label} error={error} className={className} isLabelHidden={isLabelHidden}>
      {(bound) => (
        <div className="relative">
          <Icon
            aria-hidden
            className="pointer-events-none absolute inset-y-0 left-3.5 my-auto size-5 text-soft"
          />
          <input
            {...bound}
            type="search"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            maxLength={max}
            placeholder={isLabelHidden ? label : undefined}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !onEnter) return;
              event.preventDefault();
              onEnter();
            }}
            autoComplete="off"
            className="min-h-12 w-full rounded-control border border-line-strong bg-surface py-2 pr-3.5 pl-11 text-ink aria-invalid:border-2 aria-invalid:border-poor"
          />
        </div>
      )}
    </FormField>
  );
}
