import { Link } from 'react-router-dom';

/** What stands in the dashboard's banner when nobody has booked it. */
export function AdvertiseHere() {
  return (
    <>
      A shop, a vet, a groomer? Owners near you would see it here.{' '}
      <Link to="/advertiser-signup" className="font-semibold text-accent underline">
        Advertise With Us
      </Link>
    </>
  );
}
