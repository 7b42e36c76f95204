import { lookup as resolve, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether an address is on the internet: not of a private, local or reserved network. */
const isPublic = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Where devices may have their pushes sent. Decision 70. */
export interface PushAddresses {
  /** Host names of push services; `*.` before one stands for its subdomains, and `*` alone for every public host. */
  services: readonly string[];
  /** Whether a push service on this machine is allowed, also without TLS. */
  allowLoopback: boolean;
}

const isService = (host: string, services: readonly string[]): boolean =>
  services.some(
    (name) =>
      name === '*' || name === host || (name.startsWith('*.') && host.endsWith(name.slice(1))),
  );

/**
 * Whether the servers may send to an endpoint that a device named (SSRF). Names are checked again by `publicLookup`, because
 * what they resolve to may change.
 */
export function isAllowedEndpoint(
  endpoint: string,
  { services, allowLoopback }: PushAddresses,
): boolean {
  if (!URL.canParse(endpoint)) return false;
  const url = new URL(endpoint);
  const host = hostOf(url);
  if (url.username || url.password) return false;
  if (allowLoopback && ['http:', 'https:'].includes(url.protocol))
    if (host === 'localhost' || isLoopback(host)) return true;
  if (url.protocol !== 'https:' || url.port !== '') return false;
  if (!isService(host, services)) return false;
  // Names without a dot are of a local network.
  return isIP(host) === 0 ? host.includes('.') : isPublic(host);
}

/** Creates a DNS lookup for connections that fails unless all addresses of the name are allowed. */
export const publicLookup =
  (allowLoopback: boolean): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '');
      const isAllowed = (address: string) =>
        isPublic(address) || (allowLoopback && isLoopback(address));
      if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address)))
        return callback(new Error('the host is on a private network'), '');
      if (options.all) return callback(null, addresses);
      const [{ address, family }] = addresses as [LookupAddress];
      callback(null, address, family);
    });
  };
