import * as A from '@automerge/automerge';
import { expect, test } from 'vitest';
import { documentKinds, type DocumentKind } from '#shared/document-kinds.ts';
import { documentLimits } from '#shared/sync/limits.ts';
import { requireRoom } from '../../../client/platform/sync/bounds/require-room.ts';

const PLACE = { thread_id: 'thread', number: 1, friend_user_id: 'friend', after: 0 };
type Doc = Record<string, Record<string, unknown>>;

/** A document with a history of many operations, and a map with some entries. */
function documentOf(kind: DocumentKind, map: string, entries: number): A.Doc<Doc> {
  const initial = documentKinds[kind].initial as (...parts: unknown[]) => object;
  let doc = A.change(A.init<Doc>(), { time: 0 }, (draft) => {
    Object.assign(draft, initial('owner', '2026-11-28T00:00:00Z', PLACE));
    for (let i = 0; i < entries; i++) draft[map]![`k${i}`] = {};
  });
  while (A.stats(doc).numOps < documentLimits[kind].keys[1]!)
    doc = A.change(doc, { time: 0 }, (draft) => {
      for (let i = 0; i < 500; i++) draft[map]!['same'] = i;
    });
  return doc;
}

test.each([
  ['card', 'dogs', 20],
  ['account', 'quiet_places', 100],
  ['segment', 'messages', 400],
] as const)(
  'whoever has used a %s for years waits for no copy of it at each change, until it may be full',
  (kind, map, entries) => {
    let tried = 0;
    const change = () => void tried++;
    requireRoom(documentOf(kind, map, entries), kind, change);
    expect(tried).toBe(0);
    const most = documentLimits[kind].keys[1]!;
    requireRoom(documentOf(kind, map, most), kind, change);
    expect(tried).toBe(1);
    const another = (draft: Doc) => void (draft[map]!['another'] = {});
    requireRoom(documentOf(kind, map, most - 1), kind, another);
    expect(() => requireRoom(documentOf(kind, map, most), kind, another)).toThrow('no space');
  },
);
