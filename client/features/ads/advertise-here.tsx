import { Link } from 'react-router-dom';

/** Shown in the dashboard's banner if it isn't booked. */
export function AdvertiseHere() {
  return (
    <span className="flex flex-wrap items-center gap-x-4 text-left leading-snug">
      <span className="min-w-0 grow basis-28">Show your shop to dog owners nearby.</span>
      <Link
        to="/advertiser-signup"
        className="inline-flex min-h-11 items-center font-bold text-accent underline"
      >
        Advertise With Us
      </Link>
    </span>
  );
}
