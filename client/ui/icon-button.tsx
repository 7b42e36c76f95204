import type { ComponentProps } from 'react';

/** A button with an icon as its child; `label` is its accessible name. */
export function IconButton({
  label,
  className = '',
  type = 'button',
  ...rest
}: Omit<ComponentProps<'button'>, 'aria-label'> & { label: string }) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={`inline-flex size-11 shrink-0 items-center justify-center rounded-control text-ink hover:bg-sunken disabled:cursor-not-allowed disabled:opacity-60 ${className}`}
    />
  );
}
