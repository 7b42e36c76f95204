import { randomBytes } from 'node:crypto';
import { get } from 'node:http';

/** A sync server, as a device reaches it. */
export interface Target {
  port: number;
  cookie: string;
  origin: string;
}

/** Returns how the sync server answers a new connection: 101 is right. */
export const upgradeStatus = ({ port, cookie, origin }: Target): Promise<number> =>
  new Promise((resolve) => {
    const request = get({
      port,
      path: '/sync',
      headers: {
        cookie,
        origin,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
      },
    });
    const end = (status: number) => {
      request.destroy();
      resolve(status);
    };
    request
      .on('response', ({ statusCode = 0 }) => end(statusCode))
      .on('upgrade', () => end(101))
      .on('error', () => end(0))
      .setTimeout(5_000, () => end(0));
  });
