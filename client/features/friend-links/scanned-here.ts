/** The state of a link that this app’s scanner read: whoever scans a code that is shown for it needs no further question. */
export const SCANNED_HERE = { scannedHere: true };

/** Whether the state of a location is `SCANNED_HERE`. @param state untrusted: the browser restores it */
export const isScannedHere = (state: unknown): boolean =>
  (state as Partial<typeof SCANNED_HERE> | null)?.scannedHere === true;
