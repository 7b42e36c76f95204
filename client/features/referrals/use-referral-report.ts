import { useEffect } from 'react';
import { sendReport } from './referrer.ts';

/** Sends a referral report that couldn't be sent when the gate was passed. */
export function useReferralReport(): void {
  useEffect(() => {
    const send = () => void sendReport();
    send();
    window.addEventListener('online', send);
    return () => window.removeEventListener('online', send);
  }, []);
}
