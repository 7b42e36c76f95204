import { each } from './each.ts';
import { documentIdOf, documentsOf, type Owner, type OwnerDocuments } from './owners.ts';
import { SyncDevice, type Marks } from './sync-device.ts';

/** A phone and a laptop. */
export const DEVICES_PER_OWNER = 2;

/** Devices that have their owner's documents open and do nothing. */
export interface IdleDevices {
  /** By owner, in the order of the owners: the first device, and the states of its documents. */
  first: { device: SyncDevice; documents: OwnerDocuments; marks: Marks }[];
  close(): void;
}

/**
 * Connects devices of owners: the first of an owner loads all documents, the others have them already.
 * @param count at most `DEVICES_PER_OWNER` per owner
 */
export async function connectIdleDevices(
  owners: readonly Owner[],
  count: number,
  interrupted: AbortSignal,
): Promise<IdleDevices> {
  const first: IdleDevices['first'] = [];
  const further: SyncDevice[] = [];
  async function connectFirst(index: number): Promise<void> {
    const owner = owners[index]!;
    const device = await SyncDevice.connect(owner);
    const documents = await documentsOf(owner, device);
    const contacts = documentIdOf(owner.user.documents.contacts);
    const others = documents.all.filter((id) => id !== contacts);
    await Promise.all(others.map((id) => device.open(id)));
    first[index] = { device, documents, marks: device.marks };
  }
  async function connectOther(index: number): Promise<void> {
    const owner = index % owners.length;
    const device = await SyncDevice.connect(owners[owner]!);
    await device.reopen(first[owner]!.marks);
    further.push(device);
  }
  const indexes = Array.from({ length: count }, (_, i) => i);
  await each(indexes.slice(0, owners.length), connectFirst, interrupted);
  await each(indexes.slice(owners.length), connectOther, interrupted);
  return {
    first,
    close() {
      for (const { device } of first) device.close();
      for (const device of further) device.close();
    },
  };
}
