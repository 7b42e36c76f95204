import Bowser from 'bowser';

const UNKNOWN = 'Unknown device';
/** Longer than any browser’s; the rest is ignored. */
const AGENT_MAX = 512;

/** Returns the browser and system of a User-Agent header, such as 'Chrome on Android'. */
export function deviceName(userAgent: string): string {
  if (userAgent === '') return UNKNOWN;
  const parsed = Bowser.parse(userAgent.slice(0, AGENT_MAX));
  const browser = parsed.browser.name;
  // The model is more familiar than its system.
  const model = parsed.platform.model;
  const system = model === 'iPhone' || model === 'iPad' ? model : parsed.os.name;
  if (browser && system) return `${browser} on ${system}`;
  return browser || system || UNKNOWN;
}
