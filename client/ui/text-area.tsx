import { CircleAlert } from 'lucide-react';
import { useId, type ComponentProps } from 'react';

/** A labelled box for a few sentences, with what is wrong with them when something is. */
export function TextArea({
  label,
  hint,
  error,
  className = '',
  ...rest
}: ComponentProps<'textarea'> & { label: string; hint?: string; error?: string }) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <textarea
        rows={4}
        {...rest}
        id={id}
        aria-invalid={Boolean(error)}
        aria-describedby={`${id}-hint ${id}-error`}
        className={`w-full rounded-control border border-line-strong bg-surface px-3.5 py-2 text-ink placeholder:text-soft aria-invalid:border-2 aria-invalid:border-ink ${className}`}
      />
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
      <p
        id={`${id}-error`}
        role="alert"
        className="flex items-center gap-1.5 font-semibold empty:hidden"
      >
        {error && (
          <>
            <CircleAlert aria-hidden className="size-4 shrink-0" />
            {error}
          </>
        )}
      </p>
    </div>
  );
}
