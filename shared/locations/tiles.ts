/** The ground of the map, unless TILE_URL says otherwise. */
export const OPENSTREETMAP = {
  url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
  attribution: '© OpenStreetMap contributors',
  attribution_url: 'https://www.openstreetmap.org/copyright',
};

/** The word for no ground at all. */
export const NO_TILES = 'none';

/**
 * Returns the origin of tiles for a Content-Security-Policy: `{s}` may be any subdomain.
 * @returns null if the address isn't https (or of this machine), or has no place for x, y and z
 */
export function tileSource(url: string): string | null {
  if (!['{x}', '{y}', '{z}'].every((part) => url.includes(part))) return null;
  const host = /^(https?:\/\/)((?:\{s\}\.)?[a-z\d.-]+(?::\d+)?)\//i.exec(url);
  if (!host) return null;
  const [, scheme = '', name = ''] = host;
  const isHere = /^(localhost|127\.0\.0\.1)(:|$)/.test(name);
  if (scheme.toLowerCase() === 'http://' && !isHere) return null;
  return `${scheme}${name.replace('{s}', '*')}`;
}
