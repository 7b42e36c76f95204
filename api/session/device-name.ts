import Bowser from 'bowser';

const UNKNOWN = 'Unknown device';
/** No browser sends more; what is longer is not read. */
const AGENT_MAX = 512;

/** What people call the browser and system behind a User-Agent header, such as 'Chrome on Android'. */
export function deviceName(userAgent: string): string {
  if (userAgent === '') return UNKNOWN;
  const parsed = Bowser.parse(userAgent.slice(0, AGENT_MAX));
  const browser = parsed.browser.name;
  // The phone or tablet says more than its system.
  const model = parsed.platform.model;
  const system = model === 'iPhone' || model === 'iPad' ? model : parsed.os.name;
  if (browser && system) return `${browser} on ${system}`;
  return browser || system || UNKNOWN;
}
