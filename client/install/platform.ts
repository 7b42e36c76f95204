const PLATFORMS = ['ios', 'android', 'desktop'] as const;
type Platform = (typeof PLATFORMS)[number];

/**
 * What kind of device this is: as the address says with `?platform=`, else as the browser does.
 * @param touchPoints tells an iPad, which calls itself a Mac, from one
 */
export function platformOf(search: string, userAgent: string, touchPoints: number): Platform {
  const asked = new URLSearchParams(search).get('platform');
  const known = PLATFORMS.find((each) => each === asked);
  if (known) return known;
  if (/android/i.test(userAgent)) return 'android';
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios';
  return /macintosh/i.test(userAgent) && touchPoints > 1 ? 'ios' : 'desktop';
}
