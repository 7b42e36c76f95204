import { isIP } from 'node:net';

export interface Hops {
  /** The address at the other end of the connection. */
  peer: string;
  /** The header `X-Forwarded-For`: each proxy adds whom it got the request from. */
  forwardedFor: string | undefined;
  /** How many proxies before this server are ours, and add an entry. Only their entries count; others can be forged. */
  trustedHops: number;
}

/**
 * Returns the address that the outermost trusted proxy saw. If its entry can't be parsed or is missing, that of the next proxy
 * towards this server counts instead, and in the end the peer's: never an entry that a caller may have written.
 */
export function clientAddress({ peer, forwardedFor = '', trustedHops }: Hops): string {
  const entries = forwardedFor === '' ? [] : forwardedFor.split(',');
  const trusted = trustedHops === 0 ? [] : entries.slice(-trustedHops);
  return trusted.map(parseAddress).find((address) => address !== null) ?? peer;
}

/** Returns the IP address of an entry, without the port, brackets, quotes or zone that some proxies write; null if there is none. */
function parseAddress(entry: string): string | null {
  const text = entry.trim().replace(/^"(.*)"$/, '$1');
  const address = ADDRESS.exec(text)?.groups;
  const found = (address?.['inBrackets'] ?? address?.['v4'] ?? text).replace(/%[\w.-]+$/, '');
  return isIP(found) === 0 ? null : found;
}

const ADDRESS = /^(?:\[(?<inBrackets>[^\]]*)\](?::\d{1,5})?|(?<v4>\d+\.\d+\.\d+\.\d+):\d{1,5})$/;
