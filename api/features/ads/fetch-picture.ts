import { createWriteStream } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { imageUpload } from '#shared/files/contract.ts';
import { isRedirect, REDIRECTS_MAX } from '../../platform/http/redirects.ts';
import { isAllowedEndpoint, publicLookup } from '../../platform/push/push-address.ts';

const TIMEOUT_MS = 10_000;

/**
 * Downloads a picture from another site into a file: by https from a public host, as push addresses are (SSRF).
 * @param allowLoopback whether this machine counts as one, also without TLS
 * @throws Error if the address isn't allowed, or doesn't answer with a picture of the allowed size in time
 */
export async function fetchPicture(
  address: string,
  path: string,
  allowLoopback: boolean,
): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let from = address;
  for (let redirects = 0; ; redirects += 1) {
    if (!isAllowedEndpoint(from, { services: ['*'], allowLoopback }))
      throw new Error('the address is not allowed');
    const response = await get(from, allowLoopback, signal);
    const { statusCode = 0, headers } = response;
    if (statusCode === 200 && headers['content-type']?.startsWith('image/'))
      return pipeline(response, atMost(imageUpload.maxBytes), createWriteStream(path), { signal });
    response.destroy();
    const { location } = headers;
    if (!isRedirect(statusCode) || !location) throw new Error(`the site answered ${statusCode}`);
    if (redirects === REDIRECTS_MAX) throw new Error('too many redirects');
    from = new URL(location, from).href;
  }
}

const get = (address: string, allowLoopback: boolean, signal: AbortSignal) =>
  new Promise<IncomingMessage>((done, fail) => {
    const { request } = address.startsWith('https:') ? https : http;
    const lookup = publicLookup(allowLoopback);
    request(address, { headers: { accept: 'image/*' }, lookup, signal }, done)
      .on('error', fail)
      .end();
  });

/** Passes bytes on, and fails after too many. */
function atMost(bytes: number): Transform {
  let left = bytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(new Error('the picture is too large'));
      else done(null, chunk);
    },
  });
}
