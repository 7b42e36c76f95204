const KEY = 'donation_id';

/** The donation that this device sent and whose code it has not used yet; null without one. */
export function pendingDonation(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Keeps a donation until its code is used, so that nobody who paid is asked to pay again; null forgets. */
export function keepDonation(id: string | null): void {
  try {
    if (id) localStorage.setItem(KEY, id);
    else localStorage.removeItem(KEY);
  } catch {
    console.warn(
      'This browser can’t save your progress. Stay on this page until the payment goes through.',
    );
  }
}
