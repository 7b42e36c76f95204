import type { Visitor } from '../../scripts/session/api-session.ts';
import { openDevice, type Device } from '../../tests/sync.ts';

/** Opens a device of a user, and waits until it has connected. @param origin of the product */
export function openDeviceAt(origin: string, { jar }: Pick<Visitor, 'jar'>): Promise<Device> {
  const port = Number(new URL(origin).port);
  return openDevice(() => port, { cookie: jar.header, origin });
}
