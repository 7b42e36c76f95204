import { setTimeout as wait } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { readCard } from '#shared/profile/document.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { me } from '#shared/session/contract.ts';
import { readSettings } from '#shared/settings/document.ts';
import type { DocumentRow } from '../../../sync-server/core/database.ts';
import type { TestApi } from '../../api.ts';
import type { DevicesProcess } from '../../chat/simulation/device.ts';
import { Link } from '../../chat/simulation/link.ts';
import type { SimulatedPerson } from '../../chat/simulation/people.ts';

export const quietPlace = { name: 'Home', latitude: 1, longitude: 2, radius_feet: 300 };

/** Waits for a check to pass. */
export const until = (check: () => unknown) =>
  vi.waitFor(check, { timeout: 120_000, interval: 50 });

/**
 * A device with the real client, whose network can be cut.
 * @param node the number of the sync node that it is connected to
 */
export async function newEpochDevice(
  api: TestApi,
  devices: DevicesProcess,
  person: SimulatedPerson,
  node = 0,
) {
  const link = new Link(Math.random, () => ({
    port: api.syncPorts[node]!,
    cookie: person.cookie,
    origin: api.env['PUBLIC_ORIGIN'] ?? '',
  }));
  const device = devices.newDevice();
  await device.call('begin', {
    user: await person.call(me),
    network: { origin: api.origin, address: await link.open(), cookie: person.cookie },
    skewMs: 0,
  });
  const own = async () => {
    const { card, account } = await device.call('own');
    return {
      dogs: readCard(card)
        .dogs.map(({ name }) => name)
        .toSorted(),
      radius: readSettings(account).alert_radius_feet,
      quiet: Object.keys((account as { quiet_places?: object } | null)?.quiet_places ?? {}),
    };
  };
  const isAtRest = () =>
    until(async () => expect(await device.call('rest', { friends: [] })).toEqual([]));
  await isAtRest();
  return {
    own,
    isAtRest,
    async setOnline(isOnline: boolean) {
      if (isOnline) link.restore();
      else link.cut();
      await device.call('setOnline', isOnline);
    },
    setDeaf: (isDeaf: boolean) => void (link.isDeaf = isDeaf),
    forgetJournal: () => device.call('forgetJournal'),
    /** Kills the app, a moment after its last edit: one that is younger may be lost (decision 198). */
    async kill() {
      await wait(500);
      await device.call('kill');
    },
    start: () => device.call('start'),
    /** @returns a function that stores something in place of a document, from what is stored now, while the app is closed */
    async rewritesStored(documentId: string) {
      const stored = Buffer.from(await device.call('readStored', { documentId }), 'base64');
      return (change: (bytes: Uint8Array) => Uint8Array) =>
        device.call('writeStored', {
          documentId,
          bytes: Buffer.from(change(stored)).toString('base64'),
        });
    },
    stored: async () => (await device.call('keeps', { texts: [] })).documents,
    chip: async () => (await device.call('claims', { friends: [] }))?.chip.label,
    addDog: (name: string) => device.call('addDog', { name }),
    change: (kind: 'card' | 'account', name: string, input: unknown) =>
      device.call('change', { kind, name, input }),
    async end() {
      await device.call('end');
      await link.close();
    },
  };
}

/** Returns the row of a person's user. */
export const rowOf = (api: TestApi, { user }: SimulatedPerson) =>
  api.db.collection<UserRow>('users').findOne({ _id: user.id });

/** Ends the epochs of a person's documents. @returns the ids of the old and of the new ones */
export async function endEpochsOf(api: TestApi, person: SimulatedPerson) {
  const { card, account } = (await rowOf(api, person))!.documents;
  await api.db
    .collection<DocumentRow>('documents')
    .updateMany({ _id: { $in: [card, account] } }, { $set: { epoch_due: true } });
  await api.runJobs();
  const { documents } = (await rowOf(api, person))!;
  expect(documents.card).not.toBe(card);
  expect(documents.account).not.toBe(account);
  return { former: [card, account], fresh: [documents.card, documents.account] };
}

/** What the server has of a person's documents now. */
export async function valuesOnServer(api: TestApi, person: SimulatedPerson) {
  const { documents } = (await rowOf(api, person))!;
  const [card, account] = await Promise.all(
    [documents.card, documents.account].map((id) => api.document(`automerge:${id}`)),
  );
  return {
    dogs: readCard(card)
      .dogs.map(({ name }) => name)
      .toSorted(),
    radius: readSettings(account).alert_radius_feet,
  };
}
