import { useEffect } from 'react';
import { sendReport } from './referrer.ts';

/** Tells whom a friend's link belongs to, where the network was away when the gate was passed. */
export function useReferralReport(): void {
  useEffect(() => {
    const send = () => void sendReport();
    send();
    window.addEventListener('online', send);
    return () => window.removeEventListener('online', send);
  }, []);
}
