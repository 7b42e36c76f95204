import { Agent } from 'node:http';
import { startPath } from '../../client/app/start-path.ts';
import type { Owner } from './owners.ts';
import { SyncDevice, type Marks } from './sync-device.ts';
import { openStream } from './walkers.ts';

const [START] = startPath({
  isHome: true,
  isPushOn: true,
  alertsCell: { latitude: '51.5', longitude: '-0.12' },
});
const streams = new Agent();

/**
 * Opens the dashboard like a phone that has the app and its documents already: the call of its start, the event stream, and the sync
 * socket. Then it closes the app.
 * @returns when everything is there
 */
export async function openPage(owner: Owner, marks: Marks): Promise<void> {
  const [stream, device] = await Promise.all([
    openStream(owner, streams, () => {}),
    SyncDevice.connect(owner),
    owner.send('GET', START),
    // The service worker has the page; the browser looks for a newer one.
    owner.send('GET', '/service-worker.js'),
  ]);
  try {
    await device.reopen(marks);
  } finally {
    device.close();
    stream.destroy();
  }
}
