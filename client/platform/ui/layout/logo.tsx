import { Link } from 'react-router-dom';
import { PRODUCT } from '../../product.ts';

/** The logo, as a link to `to`. */
export function Logo({ to }: { to: string }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center gap-2.5 text-lg font-bold tracking-tight text-ink"
    >
      <Mark />
      {PRODUCT}
    </Link>
  );
}

/** The drawing of `public/favicon.svg`, inlined because a separate image would load later than the text. */
function Mark() {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className="size-[min(2rem,15vw)]">
      <rect width="32" height="32" rx="9" fill="#6d2a6b" />
      <g fill="#fff">
        <ellipse cx="9" cy="14.2" rx="2.3" ry="3" />
        <ellipse cx="13.4" cy="9.6" rx="2.3" ry="3.1" />
        <ellipse cx="18.6" cy="9.6" rx="2.3" ry="3.1" />
        <ellipse cx="23" cy="14.2" rx="2.3" ry="3" />
        <path d="M16 14.6c3.4 0 6.6 3.6 6.6 6.6 0 2-1.5 3-3.2 3-1.3 0-2.2-.6-3.4-.6s-2.1.6-3.4.6c-1.7 0-3.2-1-3.2-3 0-3 3.2-6.6 6.6-6.6z" />
      </g>
    </svg>
  );
}
