import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';

/** A button with an icon, or a child of another size; `label` is its accessible name. */
export function IconButton({
  label,
  Icon,
  children = Icon && <Icon aria-hidden className="size-5" />,
  className = '',
  type = 'button',
  ...rest
}: Omit<ComponentProps<'button'>, 'aria-label'> & { label: string; Icon?: LucideIcon }) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={`inline-flex size-11 shrink-0 items-center justify-center rounded-control text-ink hover:bg-sunken disabled:cursor-not-allowed disabled:opacity-60 ${className}`}
    >
      {children}
    </button>
  );
}
