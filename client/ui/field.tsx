import { CircleAlert } from 'lucide-react';
import { useId, type ComponentProps, type ReactNode } from 'react';

/** A labelled text input with a hint and, when there is one, what is wrong with it. */
export function Field({
  label,
  hint,
  error,
  className = '',
  ...rest
}: ComponentProps<'input'> & { label: ReactNode; hint?: ReactNode; error?: string }) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <input
        {...rest}
        id={id}
        aria-invalid={Boolean(error)}
        aria-describedby={`${id}-hint ${id}-error`}
        className={`min-h-12 w-full rounded-control border border-line-strong bg-surface px-3.5 py-2 text-ink placeholder:text-soft aria-invalid:border-2 aria-invalid:border-ink ${className}`}
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
