import { Link } from 'react-router-dom';
import { PRODUCT } from '../product.ts';

/** The brand, leading to `to`. */
export function Logo({ to }: { to: string }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center gap-2.5 text-lg font-extrabold tracking-tight text-ink"
    >
      <img src="/favicon.svg" alt="" width="32" height="32" />
      {PRODUCT}
    </Link>
  );
}
