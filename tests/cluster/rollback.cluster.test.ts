import { next as A } from '@automerge/automerge';
import { Binary } from 'mongodb';
import { expect, inject, test, vi } from 'vitest';
import type { AccountDocument } from '#shared/account/document.ts';
import * as contract from '#shared/sync/contract.ts';
import { startReplicaSet } from '../../scripts/test/replica-set.ts';
import type { DocumentRow, LogRow } from '../../sync-server/core/database.ts';
import { startTestSync } from '../sync.ts';

test('a change that only the primary of MongoDB has is not served until a majority has it', async () => {
  const set = await startReplicaSet(inject('mongod'));
  const sync = await startTestSync(set.uri);
  try {
    const id = await sync.document(await sync.user());
    const settings = async () => {
      const { value } = await sync.call(contract.readDocument, { params: { documentId: id } });
      return (value as AccountDocument).settings;
    };
    const row = await sync.db.collection<DocumentRow>('documents').findOne({ _id: id });
    const doc = A.load<AccountDocument>(row!.snapshot.buffer);
    const changed = A.change(doc, (draft) => void (draft.settings['volume'] = 1));
    const chunks = new Binary(A.getLastLocalChange(changed));
    const log = sync.db.collection<Omit<LogRow, '_id'>>('document_log');
    const resume = await set.suspendSecondaries();
    try {
      const record = { writer: 'another node', entries: [{ document: id, chunks }] };
      await log.insertOne(record, { writeConcern: { w: 1 } });
      expect(await log.countDocuments({ writer: 'another node' })).toBe(1);
      expect(await settings()).not.toHaveProperty('volume');
    } finally {
      resume();
    }
    await vi.waitFor(async () => expect(await settings()).toHaveProperty('volume', 1), 15_000);
  } finally {
    await sync.close();
    await set.close();
  }
}, 60_000);
