import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { readContacts, type ContactsDocument } from '#shared/friends/document.ts';
import * as contract from '#shared/sync/contract.ts';
import { automergeUrl, startTestSync, type TestSync } from '../sync.ts';

vi.setConfig({ testTimeout: 90_000 });

let sync: TestSync;
beforeAll(async () => {
  sync = await startTestSync(inject('mongodbUri'), { child: true });
});
afterAll(() => sync.close());

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 40_000, interval: 50 });

/** Backs up all documents and returns a function that restores them. */
async function backUp(): Promise<() => Promise<void>> {
  const collections = ['documents', 'document_log'].map((name) => sync.db.collection(name));
  const backup = await Promise.all(collections.map((collection) => collection.find().toArray()));
  return async () => {
    for (const [i, collection] of collections.entries()) {
      await collection.deleteMany({});
      if (backup[i]!.length > 0) await collection.insertMany(backup[i]!);
    }
    await sync.restart('SIGKILL');
  };
}

const setPerson = (documentId: string, user_id: string, version: number, relationship: string) =>
  sync.call(contract.changeDocument, {
    params: { documentId },
    body: {
      name: 'person.set',
      input: {
        user_id,
        version,
        relationship,
        name: user_id,
        at: '2026-11-23T12:00:00.000Z',
        request_id: null,
        message: null,
        card: null,
      },
    },
  });

async function settingsOnServer(documentId: string) {
  const { value } = await sync.call(contract.readDocument, { params: { documentId } });
  return (value as { settings: Record<string, number> }).settings;
}

test('a device keeps receiving a read-only document after the server was restored from a backup', async () => {
  const owner = await sync.user();
  const id = await sync.document(owner, 'contacts');
  await setPerson(id, 'bob', 1, 'friends');
  const restore = await backUp();
  const device = await sync.device(owner);
  const contacts = await device.repo.find<ContactsDocument>(automergeUrl(id));
  await setPerson(id, 'bob', 2, 'blocked');
  await until(() => expect(readContacts(contacts.doc()).blocked).toHaveLength(1));
  device.cut();
  await restore();
  device.restore();
  const sent = () => readContacts(contacts.doc()).sent.map(({ user_id }) => user_id);
  await setPerson(id, 'zed', 1, 'sent');
  await until(() => expect(sent()).toEqual(['zed']));
  await setPerson(id, 'yan', 1, 'sent');
  await until(() => expect(sent().toSorted()).toEqual(['yan', 'zed']));
  device.cut();
  await setPerson(id, 'xia', 1, 'sent');
  device.restore();
  await until(() => expect(sent().toSorted()).toEqual(['xia', 'yan', 'zed']));
});

test('a device resends its own changes to a server that was restored from a backup', async () => {
  const owner = await sync.user();
  const id = await sync.document(owner);
  const restore = await backUp();
  const device = await sync.device(owner);
  const account = await device.repo.find<{ settings: Record<string, number> }>(automergeUrl(id));
  account.change((doc) => void (doc.settings['volume'] = 3));
  await until(async () => expect(await settingsOnServer(id)).toEqual({ volume: 3 }));
  device.cut();
  await restore();
  expect(await settingsOnServer(id)).toEqual({});
  device.restore();
  await until(async () => expect(await settingsOnServer(id)).toEqual({ volume: 3 }));
});
