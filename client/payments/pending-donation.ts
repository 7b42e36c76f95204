const KEY = 'donation_id';

/** Returns the ID of the donation whose code this device hasn't used yet; null without one. */
export function pendingDonation(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Stores a donation until its code is used, so that the donor isn't asked to pay again; null removes it. */
export function storeDonation(id: string | null): void {
  try {
    if (id) localStorage.setItem(KEY, id);
    else localStorage.removeItem(KEY);
  } catch {
    console.warn(
      'This browser can’t save your progress. Stay on this page until the payment goes through.',
    );
  }
}
