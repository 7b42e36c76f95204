import * as A from '@automerge/automerge';
import { parseAutomergeUrl, Repo } from '@automerge/automerge-repo';
import { expect, test } from 'vitest';
import { OwnDocuments } from '../../../client/platform/sync/documents/own-documents.ts';
import {
  ConfirmedHeads,
  Confirmations,
} from '../../../client/platform/sync/documents/unsynced-changes.ts';

test('changes of contacts, which devices never send, do not count as unsent', async () => {
  const repo = new Repo();
  const heads = new ConfirmedHeads(null);
  const confirmations = new Confirmations(heads, () => {});
  const made = () => repo.import<object>(A.save(A.from({ people: {} })));
  const documents = { card: made().url, account: made().url, contacts: made().url };
  // The server was restored from a backup, and has nothing of them.
  for (const url of Object.values(documents)) heads.set(parseAutomergeUrl(url).documentId, []);
  const own = new OwnDocuments(
    {
      repo,
      confirmations,
      tabs: { share() {} },
      database: null,
      restored: null,
      missing: new Set(),
      onChange() {},
    } as unknown as ConstructorParameters<typeof OwnDocuments>[0],
    { documents },
  );
  await own.open('contacts');
  expect(confirmations.sum()).toMatchObject({ unconfirmed: 0, isConfirmed: true });
  await own.open('account');
  expect(confirmations.sum()).toMatchObject({ unconfirmed: 1, isConfirmed: false });
});
