import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router-dom';

type Look = 'primary' | 'secondary' | 'danger' | 'danger-outline' | 'quiet' | 'tile';

const LOOKS: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'border border-line-strong bg-surface text-ink hover:bg-sunken',
  // Destroys something.
  danger: 'bg-poor text-ground hover:opacity-90',
  // Asks before it destroys something.
  'danger-outline': 'border border-poor bg-surface text-poor hover:bg-poor-soft',
  quiet: 'text-accent underline-offset-4 hover:underline',
  tile: 'flex-col bg-sunken text-ink hover:bg-line',
};

const shape = (look: Look, wide: boolean, more = '') =>
  `inline-flex min-h-12 max-w-full items-center justify-center gap-2 rounded-control py-2.5 text-center font-bold select-none disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 ${look === 'tile' ? 'px-2' : 'px-[min(1.25rem,5.6vw)]'} ${LOOKS[look]} ${wide ? 'w-full' : ''} ${more}`;

interface Shared {
  look?: Look;
  /** Takes the full width of its container. */
  wide?: boolean;
  /** Shown before the label; hidden from screen readers. */
  Icon?: LucideIcon | undefined;
  /** Replaces `Icon` for another size or color. */
  icon?: ReactNode;
}

const usualIcon = (Icon: LucideIcon | undefined) =>
  Icon && <Icon aria-hidden className="size-5 shrink-0" />;

/**
 * A button. While `pending`, it ignores presses and shows that text instead of its label. It isn't `disabled` then, which would
 * remove the focus.
 */
export function Button({
  look = 'primary',
  wide = false,
  Icon,
  icon = usualIcon(Icon),
  pending,
  className,
  children,
  disabled,
  onClick,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & Shared & { pending?: string | false }) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled && !pending}
      aria-disabled={Boolean(pending) || undefined}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      aria-busy={Boolean(pending)}
      className={shape(look, wide, className)}
    >
      {icon}
      {pending || children}
    </button>
  );
}

/** A link to another screen that looks like a button. */
export function ButtonLink({
  look = 'primary',
  wide = false,
  Icon,
  icon = usualIcon(Icon),
  className,
  children,
  ...rest
}: ComponentProps<typeof Link> & Shared) {
  return (
    <Link {...rest} className={shape(look, wide, className)}>
      {icon}
      {children}
    </Link>
  );
}
