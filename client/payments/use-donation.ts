import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../api.ts';
import { Donation, type DonationState } from './donation.ts';
import { keepDonation, keptDonation } from './kept-donation.ts';

/** Waits so long, or until there is a network again, or nobody wants it any more. */
function waitOrOnline(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}

/** A donation of this device: a new one, or the one that was left open. */
export function useDonation(): {
  state: DonationState;
  pay: Donation['pay'];
} {
  const [donation] = useState(
    () => new Donation({ call, kept: keptDonation, keep: keepDonation, wait: waitOrOnline }),
  );
  const state = useSyncExternalStore(donation.subscribe, donation.getState);
  useEffect(() => {
    donation.resume();
    return donation.stop;
  }, [donation]);
  return { state, pay: donation.pay };
}
