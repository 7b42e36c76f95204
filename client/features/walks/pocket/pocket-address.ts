/** The value of `open` in the address that opens pocket mode. */
export const POCKET = 'pocket';
