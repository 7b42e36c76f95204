import { BSON } from 'mongodb';
import { expect, test } from 'vitest';
import { SegmentReferences } from '../../scripts/backup/segment-references.ts';

type Row = [collection: string, row: object];

async function areBroken(...rows: Row[]): Promise<boolean> {
  const references = new SegmentReferences();
  async function* all() {
    for (const [collection, row] of rows)
      yield { collection, bytes: Buffer.from(BSON.serialize(row)) };
  }
  const passed: string[] = [];
  for await (const { collection } of references.noting(all())) passed.push(collection);
  expect(passed).toEqual(rows.map(([collection]) => collection));
  return references.areBroken;
}

const thread = (segment: object = {}, rest: object = {}): Row => [
  'threads',
  {
    _id: 't',
    is_live: true,
    segments: [{ documents: { ann: 'a', bob: 'b' }, is_made: true, ...segment }],
    ...rest,
  },
];
const has = (_id: string): Row => ['documents', { _id }];

test('an archive with all segments that it names is whole', async () => {
  const message: Row = ['messages', { _id: 'a/1', document_id: 'a' }];
  expect(await areBroken(thread(), message, has('a'), has('b'), has('other'))).toBe(false);
});

test('an archive whose thread or message names a segment that was replaced meanwhile is broken', async () => {
  expect(await areBroken(thread(), has('a'), has('b without a message'))).toBe(true);
  const message: Row = ['messages', { _id: 'old/1', document_id: 'old' }];
  expect(await areBroken(message, has('fresh'))).toBe(true);
});

test('segments that are not made yet, and those of removed threads, need no document', async () => {
  expect(await areBroken(thread({ is_made: false }))).toBe(false);
  expect(await areBroken(thread({}, { is_live: false }))).toBe(false);
});
