import { Agent } from 'node:http';
import { listShownAds } from '#shared/ads/contract.ts';
import { listAlerts } from '#shared/alerts/contract.ts';
import { getPushKey } from '#shared/push/contract.ts';
import { me } from '#shared/session/contract.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import type { Owner } from './owners.ts';
import { SyncDevice, type Marks } from './sync-device.ts';
import { openStream } from './walkers.ts';

const HOME = { latitude: 51.5, longitude: -0.12 };
const streams = new Agent();

/**
 * Opens the dashboard like a phone that has the app and its documents already: the page, the calls of its start, the event stream,
 * and the sync socket. Then it closes the app.
 * @returns when everything is there
 */
export async function openPage(owner: Owner, marks: Marks): Promise<void> {
  await owner.send('GET', '/home');
  const paths = [
    ...[me, getPushKey].map((each) => pathOf(each)),
    pathOf(listAlerts, {}, HOME),
    pathOf(listShownAds, {}, { placement: 'banner' }),
  ];
  const [stream, device] = await Promise.all([
    openStream(owner, streams, () => {}),
    SyncDevice.connect(owner),
    ...paths.map((path) => owner.send('GET', path)),
  ]);
  try {
    await device.reopen(marks);
  } finally {
    device.close();
    stream.destroy();
  }
}
