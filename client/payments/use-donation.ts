import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../http/api.ts';
import { Donation, type DonationState } from './donation.ts';
import { waitOrOnline } from './delay-until-online.ts';
import { keepDonation, pendingDonation } from './pending-donation.ts';

/** A donation of this device: a new one, or the one that was left open. */
export function useDonation(): {
  state: DonationState;
  pay: Donation['pay'];
} {
  const [donation] = useState(
    () => new Donation({ call, kept: pendingDonation, keep: keepDonation, wait: waitOrOnline }),
  );
  const state = useSyncExternalStore(donation.subscribe, donation.getState);
  useEffect(() => {
    donation.resume();
    return donation.stop;
  }, [donation]);
  return { state, pay: donation.pay };
}
