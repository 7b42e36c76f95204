import { WebSocket } from 'ws';
import type { Visitor } from '../../scripts/cli/api-session.ts';
import { RawDevice } from '../../tests/sync/raw-device.ts';

/** Connections that are opened at the same time. */
const AT_ONCE = 20;
/** The most that the sync server accepts of a user, with a margin for the user's other devices. */
export const DEVICES_PER_OWNER = 8;

/** Connects devices that have their owner's documents open and do nothing. @returns a function that closes them */
export async function connectIdleDevices(
  origin: string,
  owners: readonly Visitor[],
  count: number,
): Promise<() => void> {
  const devices: RawDevice[] = [];
  async function connectOne(index: number): Promise<void> {
    const { jar, user } = owners[index % owners.length]!;
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/sync`, {
      headers: { cookie: jar.header, origin },
    });
    const device = await new RawDevice(socket).join();
    for (const id of Object.values(user.documents)) device.request(id);
    await device.next(({ documentId }) => documentId === user.documents.account);
    device.answers.length = 0;
    devices.push(device);
  }
  for (let from = 0; from < count; from += AT_ONCE) {
    const batch = Math.min(AT_ONCE, count - from);
    await Promise.all(Array.from({ length: batch }, (_, i) => connectOne(from + i)));
  }
  return () => {
    for (const device of devices) device.close();
  };
}
