import type { ComponentProps } from 'react';
import { Link } from 'react-router-dom';

/** A link with an icon as its child; `label` is its accessible name. */
export function IconLink({
  label,
  ...rest
}: Omit<ComponentProps<typeof Link>, 'aria-label' | 'className'> & { label: string }) {
  return (
    <Link
      {...rest}
      aria-label={label}
      title={label}
      className="inline-flex size-11 shrink-0 items-center justify-center rounded-control text-ink hover:bg-sunken"
    />
  );
}
