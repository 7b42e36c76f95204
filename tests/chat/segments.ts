import * as A from '@automerge/automerge';
import { generateAutomergeUrl, parseAutomergeUrl, type Repo } from '@automerge/automerge-repo';
import type { SegmentDocument } from '#shared/chat/document.ts';
import { documentKinds } from '#shared/document-kinds.ts';

const { initial, changes } = documentKinds.segment;

interface SegmentFields {
  number?: number;
  /** The first one's; each of the others has the next. */
  seq?: number;
  /** When they were written, in milliseconds; each a second after the one before. */
  at?: number;
}

/**
 * A segment of so many messages, all of one phone, on a device: `Message 0`, under the key `{number}-0`, and so on.
 * @returns its URL
 */
export function segmentOn(
  repo: Repo,
  count: number,
  { number = 1, seq = 1, at = 0 }: SegmentFields = {},
): string {
  const url = generateAutomergeUrl();
  const place = { thread_id: 't', number, friend_user_id: 'bob', after: 0 };
  const empty = A.from({ ...initial('ann', '', place) }) as A.Doc<SegmentDocument>;
  const doc = A.change(empty, (segment) => {
    for (let i = 0; i < count; i++)
      changes['message.add'].apply(segment, {
        key: `${number}-${i}`,
        device: 'phone',
        seq: seq + i,
        at: new Date(at + i * 1000).toISOString(),
        text: `Message ${i}`,
      });
  });
  repo.import(A.save(doc), { docId: parseAutomergeUrl(url).documentId });
  return url;
}
