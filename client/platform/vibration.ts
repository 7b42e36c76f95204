/** Generic patterns, in milliseconds on, off, on … */
export const PATTERNS = {
  alert: [200, 100, 200],
  success: [100],
  error: [200, 100, 200, 100, 200],
  default: [200],
} as const;

/** Vibrates if the device can: iPhones can't, and browsers ignore it before the first tap. */
export function vibrate(pattern: readonly number[]): void {
  if ('vibrate' in navigator) navigator.vibrate([...pattern]);
}
