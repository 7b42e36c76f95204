import * as A from '@automerge/automerge';
import { expect, test } from 'vitest';
import { messageLimits } from '#shared/sync/limits.ts';
import { Refusal } from '#shared/sync/refusals.ts';
import { validateChunks } from '../../../sync-server/core/protocol/sync-message.ts';
import { chunkOf, chunkParts, deflated } from '../raw-device.ts';

const text = (value: string) => new A.ImmutableString(value);

test('accepts valid changes and documents and counts their operations', () => {
  let doc = A.from<{ list: unknown[]; more: Record<string, unknown> }>({ list: [], more: {} });
  for (let i = 0; i < 50; i++)
    doc = A.change(doc, (draft) => {
      draft.list.push({
        n: i,
        at: new Date(i),
        ok: i % 2 === 0,
        text: text('words '.repeat(i)),
        bytes: new Uint8Array(i),
      });
      if (i % 3 === 0) draft.list.splice(0, 1);
      draft.more[`k${i}`] = new A.Counter(i);
    });
  const changes = A.getAllChanges(doc);
  const { numOps } = A.stats(doc);
  const { operations } = validateChunks(changes);
  expect(operations).toBeGreaterThanOrEqual(numOps);
  expect(operations).toBeLessThan(numOps * 2);
  expect(validateChunks([A.save(doc)]).operations).toBeGreaterThanOrEqual(numOps);
  expect(validateChunks(changes.map(deflated))).toEqual(validateChunks(changes));
  expect(validateChunks([Buffer.concat(changes)]).operations).toBe(operations);
});

test('rejects a chunk that inflates too far without inflating it', () => {
  const doc = A.from({ bomb: text('a'.repeat(20_000_000)) });
  expect(() => validateChunks([A.save(doc)])).toThrow(Refusal);
  expect(() => validateChunks([deflated(A.getLastLocalChange(doc)!)])).toThrow(Refusal);
  const bomb = deflated(A.getLastLocalChange(doc)!);
  const before = process.memoryUsage().arrayBuffers;
  expect(() => validateChunks(Array.from({ length: 50 }, () => bomb))).toThrow(Refusal);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
});

test('rejects a run-length column that expands to a billion operations', () => {
  const honest = A.getLastLocalChange(A.from({ a: 1 }))!;
  const { body } = chunkParts(honest);
  // The last column of the change: a run of one becomes a run of 2^29.
  const at = body.lastIndexOf(0x7f);
  const run = Buffer.from([0x80, 0x80, 0x80, 0x80, 0x02]);
  const columns = findColumns(body);
  const grown = Buffer.concat([body.subarray(0, at), run, body.subarray(at + 1)]);
  grown[columns]! += run.length - 1;
  expect(() => validateChunks([chunkOf(1, grown)])).toThrow('expands too far');
});

test('rejects chunks of unknown types, truncated chunks and counts out of bounds', () => {
  const change = A.getLastLocalChange(A.from({ a: 1 }))!;
  const { body } = chunkParts(change);
  expect(() => validateChunks([chunkOf(3, body)])).toThrow('unknown type');
  expect(() => validateChunks([change.subarray(0, change.length - 1)])).toThrow(Refusal);
  expect(() => validateChunks([chunkOf(1, Buffer.alloc(40, 0xff))])).toThrow(Refusal);
  expect(() => validateChunks([new Uint8Array(20)])).toThrow('not a chunk');
});

/** The offset of the last column's length in the body of a change. */
function findColumns(body: Buffer): number {
  let best = -1;
  for (let at = 0; at < body.length; at++) {
    // The column table: a count, then pairs of specification and length, then the data.
    const count = body[at]!;
    if (count < 3 || count > 20) continue;
    let bytes = 0;
    for (let column = 0; column < count; column++) bytes += body[at + 2 + column * 2] ?? 0;
    if (at + 1 + count * 2 + bytes === body.length) best = at + count * 2;
  }
  return best;
}

test('finds the latest timestamp in changes and documents', () => {
  type Doc = Record<string, number>;
  const made = (times: number[]) => {
    let doc = A.change(A.init<Doc>(), { time: 0 }, (draft) => void (draft['first'] = 0));
    for (const [i, time] of times.entries())
      doc = A.change(doc, { time }, (draft) => void (draft[`k${i}`] = i));
    return doc;
  };
  const latest = (chunks: Uint8Array[]) => validateChunks(chunks).latestTime;
  // Enough of them that their column is compressed, too.
  const many = Array.from({ length: 500 }, (_, i) => 1_700_000_000 + ((i * 7919) % 100_003));
  for (const times of [[], [5], [0, 0, 0], [9, 7, 0, 8], [-4], [3, 3, 3, 3], many]) {
    const doc = made(times);
    const expected = Math.max(0, ...times);
    expect(latest(A.getAllChanges(doc))).toBe(expected);
    expect(latest(A.getAllChanges(doc).map(deflated))).toBe(expected);
    expect(latest([A.save(doc)])).toBe(expected);
  }
});

test('refuses the changes of many actors in one message, each of which costs as much as the document has', () => {
  const base = A.from<Record<string, number>>({ n: 0 });
  const saved = A.save(base);
  let doc = base;
  const changes = Array.from({ length: messageLimits.actors + 1 }, (_, n) => {
    doc = A.change(A.load<Record<string, number>>(A.save(doc)), (draft) => void (draft['n'] = n));
    return A.getLastLocalChange(doc)!;
  });
  expect(() => validateChunks(changes)).toThrow('too many actors');
  expect(() => validateChunks([A.save(doc)])).toThrow('too many actors');
  expect(validateChunks(changes.slice(1)).changes).toBe(messageLimits.actors);
  // What one device wrote is one, however much it is.
  let own = A.load<Record<string, number>>(saved);
  for (let n = 0; n <= messageLimits.actors; n++)
    own = A.change(own, (draft) => void (draft['n'] = n));
  expect(validateChunks(A.getAllChanges(own)).changes).toBe(messageLimits.actors + 2);
});
