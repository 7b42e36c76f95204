import { BSON, type Db } from 'mongodb';
import type { MessageRow, UserRow } from '#shared/server/collections.ts';
import { messages, threads } from '../../api/features/chat/collections.ts';
import { deletions } from '../../api/features/deletions/collections.ts';
import { deletionId } from '../../api/features/deletions/record-deletions.ts';
import { pairs, type PairRow } from '../../api/features/relationships/collections.ts';
import {
  closedAccount,
  NOT_DELETED,
  sessions,
  users,
} from '../../api/platform/session/collections.ts';
import type { DocumentRow } from '../../sync-server/core/database.ts';
import type { ArchivedRow } from './archive.ts';

const AT_ONCE = 1_000;
/** Fields of users that an administrator or a payment changes, and no device. */
const AUTHORITY = ['access_expires_at', 'is_admin', 'restricted_until', 'suspended_until'] as const;

/** Combines a row of a newer archive with restored ones: accounts that were created in the meantime, access, sanctions and blocks. */
export async function combineRow(db: Db, { collection, bytes }: ArchivedRow): Promise<void> {
  if (collection === 'users') await combineUser(db, BSON.deserialize(bytes) as UserRow);
  if (collection === 'pairs') await combinePair(db, BSON.deserialize(bytes) as PairRow);
}

async function combineUser(db: Db, newer: UserRow): Promise<void> {
  if (newer.deleted_at) return;
  const authority = Object.fromEntries(
    AUTHORITY.flatMap((field) => (newer[field] === undefined ? [] : [[field, newer[field]]])),
  );
  const { matchedCount } = await users(db).updateOne({ _id: newer._id }, { $set: authority });
  if (matchedCount === 1) return;
  // Their documents are created again under the same ids, and their devices send what they have.
  await users(db).insertOne({ ...newer, documents_ready: false });
}

/** A block stays, also if the restored row is from before it. */
async function combinePair(db: Db, newer: PairRow): Promise<void> {
  if (newer.blocks.length === 0) return;
  const restored = await pairs(db).findOne({ _id: newer._id });
  if (restored && restored.version >= newer.version) return;
  const cards = Object.values(restored?.cards ?? {});
  const ids = [
    ...(newer.former_cards?.ids ?? []),
    ...(restored?.former_cards?.ids ?? []),
    ...cards,
  ];
  await pairs(db).replaceOne(
    { _id: newer._id },
    {
      ...newer,
      is_projected: false,
      ...(ids.length > 0 && { former_cards: { ids, at: new Date() } }),
    },
    { upsert: true },
  );
  // Until the API has carried it out, neither reads anything of the other.
  const documents = db.collection<DocumentRow>('documents');
  const live = await threads(db)
    .find({ pair: newer._id }, { projection: { _id: 1 } })
    .toArray();
  const places = live.map(({ _id }) => _id);
  await documents.updateMany(
    { 'place.thread_id': { $in: places } },
    { $set: { reader_user_ids: [], is_frozen: true } },
  );
  await documents.deleteMany({ _id: { $in: cards } });
  await threads(db).updateMany({ pair: newer._id }, { $set: { is_settled: false } });
}

/**
 * Applies the recorded deletions to the restored rows: accounts are closed, and messages hidden. The API's background jobs remove the
 * data when it starts.
 */
export async function applyDeletions(db: Db): Promise<void> {
  const recorded = new Set<string>();
  for await (const { _id } of deletions(db).find({}, { projection: { _id: 1 } })) recorded.add(_id);
  if (recorded.size === 0) return;
  await closeAccounts(db, recorded);
  await hideMessages(db, recorded);
}

async function closeAccounts(db: Db, recorded: ReadonlySet<string>): Promise<void> {
  const open = users(db).find(NOT_DELETED, { projection: { _id: 1 } });
  for await (const { _id } of open) {
    if (!recorded.has(deletionId('user', _id))) continue;
    await users(db).updateOne({ _id }, { $set: closedAccount(_id) });
    await sessions(db).updateMany(
      { user_id: _id, revoked_at: null },
      { $set: { revoked_at: new Date() } },
    );
  }
}

async function hideMessages(db: Db, recorded: ReadonlySet<string>): Promise<void> {
  const idOf = ({ _id, former_ids = [] }: Pick<MessageRow, '_id' | 'former_ids'>) =>
    [_id, ...former_ids].map((id) => deletionId('message', id)).find((id) => recorded.has(id));
  const rows = messages(db).find(
    {},
    { projection: { former_ids: 1, document_id: 1 }, batchSize: AT_ONCE },
  );
  for await (const row of rows) {
    const id = idOf(row);
    if (id === undefined) continue;
    await messages(db).updateOne({ _id: row._id }, { $set: { is_hidden: true } });
    // Without its reader: the document still has the text.
    await db
      .collection<DocumentRow>('documents')
      .updateOne({ _id: row.document_id }, { $set: { reader_user_ids: [], is_frozen: true } });
    await deletions(db).updateOne({ _id: id }, { $set: { restored_message_id: row._id } });
  }
}
