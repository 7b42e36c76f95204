import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../http/api.ts';
import { Donation, type DonationState } from './donation.ts';
import { waitOrOnline } from './delay-until-online.ts';
import { storeDonation, pendingDonation } from './pending-donation.ts';

/** Returns this device's donation: the unfinished one, or a new one. */
export function useDonation(): {
  state: DonationState;
  pay: Donation['pay'];
} {
  const [donation] = useState(
    () => new Donation({ call, stored: pendingDonation, store: storeDonation, wait: waitOrOnline }),
  );
  const state = useSyncExternalStore(donation.subscribe, donation.getState);
  useEffect(() => {
    donation.resume();
    return donation.stop;
  }, [donation]);
  return { state, pay: donation.pay };
}
