import { Link } from 'react-router-dom';

/** What stands in the dashboard's banner when nobody has booked it. */
export function AdvertiseHere() {
  return (
    <span className="flex items-center gap-4 text-left leading-snug">
      Owners near you would see your shop here.
      <Link
        to="/advertiser-signup"
        className="inline-flex min-h-11 shrink-0 items-center font-bold text-accent underline"
      >
        Advertise With Us
      </Link>
    </span>
  );
}
