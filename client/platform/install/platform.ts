const PLATFORMS = ['ios', 'android', 'desktop'] as const;
export type Platform = (typeof PLATFORMS)[number];

/**
 * Returns the device's platform: from `?platform=` in the address, else from the browser.
 * @param touchPoints distinguishes an iPad, which identifies as a Mac
 */
export function platformOf(search: string, userAgent: string, touchPoints: number): Platform {
  const asked = new URLSearchParams(search).get('platform');
  const known = PLATFORMS.find((each) => each === asked);
  if (known) return known;
  if (/android/i.test(userAgent)) return 'android';
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios';
  return /macintosh/i.test(userAgent) && touchPoints > 1 ? 'ios' : 'desktop';
}
