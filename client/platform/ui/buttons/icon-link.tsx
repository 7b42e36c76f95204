import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Link } from 'react-router-dom';

/** A link with an icon; `label` is its accessible name. */
export function IconLink({
  label,
  Icon,
  ...rest
}: Omit<ComponentProps<typeof Link>, 'aria-label' | 'className' | 'children'> & {
  label: string;
  Icon: LucideIcon;
}) {
  return (
    <Link
      {...rest}
      aria-label={label}
      title={label}
      className="inline-flex size-11 shrink-0 items-center justify-center rounded-control text-ink hover:bg-sunken"
    >
      <Icon aria-hidden className="size-5" />
    </Link>
  );
}
