import * as A from '@automerge/automerge';
import { generateAutomergeUrl, parseAutomergeUrl, type Repo } from '@automerge/automerge-repo';
import type { SegmentDocument } from '#shared/chat/document.ts';
import { documentKinds } from '#shared/document-kinds.ts';

const { initial, changes } = documentKinds.segment;

interface SegmentFields {
  number?: number;
  /** The sequence number of the first message. Each next message has the next number. */
  seq?: number;
  /** The time of the first message in milliseconds. Each next message is a second later. */
  at?: number;
}

/**
 * Imports a segment with this many messages of one phone: `Message 0` with the key `{number}-0`, and so on.
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
