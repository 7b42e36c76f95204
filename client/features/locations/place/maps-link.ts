import type { Place } from '#shared/place.ts';
import type { Platform } from '../../../platform/install/platform.ts';

/** Returns the address that opens a place in the device's map app; in OpenStreetMap on a desktop. */
export function mapsLink(
  { latitude, longitude, name }: Place & { name: string },
  platform: Platform,
): string {
  const point = `${latitude},${longitude}`;
  // Parentheses end the label of a geo address.
  const label = encodeURIComponent(name).replaceAll('(', '%28').replaceAll(')', '%29');
  if (platform === 'ios') return `https://maps.apple.com/?ll=${point}&q=${label}`;
  if (platform === 'android') return `geo:${point}?q=${point}(${label})`;
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
}

/** Returns the address of the way to a place: in the device's map app, or in OpenStreetMap on a desktop. */
export function directionsTo(place: Place & { name: string }, platform: Platform): string {
  const point = `${place.latitude},${place.longitude}`;
  if (platform === 'ios') return `https://maps.apple.com/?daddr=${point}`;
  if (platform === 'android') return mapsLink(place, platform);
  return `https://www.openstreetmap.org/directions?to=${point}`;
}
