/** The generic patterns, in milliseconds on, off, on … */
export const PATTERNS = {
  alert: [200, 100, 200],
  success: [100],
  error: [200, 100, 200, 100, 200],
  default: [200],
} as const;

/** Makes itself felt, where the device can: not on iPhones, and not before the first tap, which is no error. */
export function vibrate(pattern: readonly number[]): void {
  if ('vibrate' in navigator) navigator.vibrate([...pattern]);
}
