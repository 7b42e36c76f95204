import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import type { MessageRow } from '#shared/server/collections.ts';

/** Inserts messages into the projection as the sync server does, and returns their ids. */
export async function written(
  db: Db,
  from: string,
  to: string,
  texts: string[],
  overrides: Partial<MessageRow> = {},
): Promise<string[]> {
  const document_id = randomUUID().replaceAll('-', '');
  const at = new Date();
  const rows = texts.map((text, i): MessageRow => ({
    _id: `${document_id}.${i}`,
    thread_id: [from, to].toSorted().join(' '),
    number: 1,
    document_id,
    sender_user_id: from,
    receiver_user_id: to,
    text,
    seq: i + 1,
    device: 'a',
    at: at.toISOString(),
    created_at: at,
    updated_at: at,
    is_read: false,
    is_checked: true,
    ...overrides,
  }));
  await db.collection<MessageRow>('messages').insertMany(rows);
  return rows.map(({ _id }) => _id);
}
