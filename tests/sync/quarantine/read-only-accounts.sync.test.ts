import { next as A } from '@automerge/automerge';
import { Binary, ObjectId } from 'mongodb';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import type { AccountDocument } from '#shared/account/document.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import * as contract from '#shared/sync/contract.ts';
import { DAY_MS } from '#shared/time.ts';
import type { DocumentRow, LogRow } from '../../../sync-server/core/database.ts';
import { startTestSync, type TestSync, type TestUser } from '../../sync.ts';
import { RawDevice, repeatedOperations } from '../raw-device.ts';

vi.setConfig({ testTimeout: 120_000 });

let sync: TestSync;
let owner: TestUser;

beforeEach(async () => {
  sync = await startTestSync(inject('mongodbUri'));
  owner = await sync.user();
});
afterEach(() => sync.close());

const documents = () => sync.db.collection<DocumentRow>('documents');

async function device(user: TestUser): Promise<RawDevice> {
  const one = new RawDevice(sync.socket(user));
  one.closed.catch(() => {});
  return one.join();
}

/** Documents of the owner in which servers ended twice, at this time. */
async function quarantined(count: number, failed_at = new Date()): Promise<void> {
  for (let i = 0; i < count; i++)
    await documents().updateOne(
      { _id: await sync.document(owner) },
      { $set: { quarantine: { failures: 2, failed_at, trials: 1, retry_at: new Date(8e12) } } },
    );
}

test('an account with several documents that ended servers may only read for a day, and its others are tried first', async () => {
  const [good, poisoned] = [await sync.document(owner), await sync.document(owner)];
  const stranger = await sync.user();
  const other = await sync.document(stranger);
  const one = await device(owner);
  await one.read<AccountDocument>(good);
  await quarantined(2);
  const entries = [{ document: poisoned, chunks: new Binary(repeatedOperations(20_000_000)) }];
  const log = sync.db.collection<LogRow>('document_log');
  await log.insertOne({ _id: new ObjectId(), writer: 'earlier', entries });
  // Two are a coincidence; with the third, devices start over.
  await quarantined(1);
  expect(await one.closed).toBe(closeCodes.rightsChanged);
  const next = await device(owner);
  // This process would hang in it: it is in quarantine before anybody asks for it.
  next.request(poisoned);
  const answer = await next.next(({ documentId }) => documentId === poisoned);
  expect(answer.type).toBe('sync');
  // A healthy one passes its trial.
  const released = () =>
    documents().findOne({ _id: good, 'quarantine.retry_at': { $exists: false } });
  await vi.waitUntil(released, { timeout: 60_000, interval: 50 });
  const last = await device(owner);
  const doc = await last.read<AccountDocument>(good);
  const edited = A.change(doc, { time: 0 }, (draft) => void (draft.settings['n'] = 1));
  last.push(good, A.getHeads(edited), [A.getLastLocalChange(edited)!], 'v1');
  expect(await last.refusal(good)).toBe('not_yours');
  const named = { name: 'settings.save', input: { speech: false }, by: owner.id };
  const change = { params: { documentId: good }, body: named };
  await expect(sync.call(contract.changeDocument, change)).rejects.toMatchObject({ status: 503 });
  // Others are not affected.
  const theirs = await device(stranger);
  const untouched = await theirs.read<AccountDocument>(other);
  await theirs.keep(
    other,
    A.change(untouched, { time: 0 }, (draft) => void (draft.settings['n'] = 1)),
  );

  // A day later.
  const earlier = new Date(Date.now() - DAY_MS);
  await documents().updateMany(
    { owner_user_id: owner.id, 'quarantine.failures': { $gte: 2 } },
    { $set: { 'quarantine.failed_at': earlier } },
  );
  expect(await last.closed).toBe(closeCodes.rightsChanged);
  const again = await device(owner);
  await again.read<AccountDocument>(good);
  await again.keep(good, edited);
});
