import { inflateRawSync } from 'node:zlib';
import { next as A } from '@automerge/automerge';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { initialSegment, segmentChanges } from '#shared/chat/document.ts';
import type { DocumentKind } from '#shared/document-kinds.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import { readDocumentOperations, readOperations } from '#shared/sync/change-operations.ts';
import { eachChunk } from '#shared/sync/chunks.ts';
import { documentLimits } from '#shared/sync/limits.ts';
import type { Refusal } from '#shared/sync/refusals.ts';
import { decodedOperations } from '../../../client/platform/sync/bounds/decoded-operations.ts';
import { ReceivedBounds } from '../../../client/platform/sync/bounds/received-bounds.ts';
import { openChange, writeSyncMessage } from '../../../sync-server/core/protocol/sync-message.ts';
import { deflated, nestMaps, repeatedOperations } from '../raw-device.ts';

interface Doc {
  [field: string]: unknown;
  a?: { b: { c: Record<string, unknown> } };
  settings?: Record<string, unknown>;
}

const KINDS = Object.keys(documentLimits) as DocumentKind[];
const place = { thread_id: 'thread', number: 1, friend_user_id: 'friend', after: 0 };

/** What becomes of messages with these chunks, the last of them, on a device that has a document. */
async function outcome(
  kind: DocumentKind,
  doc: A.Doc<unknown> | null,
  ...messages: Uint8Array[][]
): Promise<'applied' | Refusal['reason']> {
  const bounds = new ReceivedBounds({ kindOf: () => kind, docOf: () => doc });
  let last: 'applied' | Refusal['reason'] = 'applied';
  for (const chunks of messages)
    try {
      await bounds.check('document', writeSyncMessage([], chunks, false));
      last = 'applied';
    } catch (error) {
      last = (error as Refusal).reason;
    }
  return last;
}

let actors = 1;
const load = (saved: Uint8Array) =>
  A.load<Doc>(saved, { actor: (actors++).toString(16).padStart(8, '0') });
const edited = (doc: A.Doc<Doc>, edit: (draft: Doc) => void) =>
  A.change(A.clone(doc), { time: 0 }, edit);
const lastOf = (doc: A.Doc<Doc>) => A.getLastLocalChange(doc)!;

test.each(KINDS)(
  'nothing deeper than the schema is applied to a document of the kind %s',
  async (kind) => {
    const empty = A.from<Doc>({});
    const saved = A.save(empty);
    const deepest = documentLimits[kind].keys.length - 1;
    for (const depth of [deepest, deepest + 1, 900]) {
      const { core, changes } = nestMaps(saved, depth);
      const whole = core.save();
      core.free();
      const expected = depth === deepest ? 'applied' : 'too_deep';
      expect(await outcome(kind, empty, changes)).toBe(expected);
      expect(await outcome(kind, empty, changes.map(deflated))).toBe(expected);
      // On a device that does not have it yet.
      expect(await outcome(kind, null, [whole])).toBe(expected);
    }
  },
);

test('nothing becomes too deep in steps, below what is not visible, or before its parents arrive', async () => {
  const first = load(A.save(A.from<Doc>({})));
  const nested = edited(first, (draft) => void (draft.a = { b: { c: {} } }));
  const deeper = edited(load(A.save(nested)), (draft) => void (draft.a!.b.c['d'] = {}));
  expect(await outcome('segment', nested, [lastOf(deeper)])).toBe('too_deep');
  const hidden = edited(nested, (draft) => void delete draft.a);
  expect(await outcome('segment', hidden, [lastOf(deeper)])).toBe('too_deep');
  const beside = edited(load(A.save(nested)), (draft) => void (draft.a!.b.c['d'] = 1));
  expect(await outcome('segment', hidden, [lastOf(beside)])).toBe('applied');
  // The child first: it waits, and is known when its parents come.
  expect(await outcome('segment', first, [lastOf(deeper)])).toBe('applied');
  expect(await outcome('segment', first, [lastOf(deeper)], [lastOf(nested)])).toBe('too_deep');
  expect(await outcome('segment', first, [lastOf(beside)], [lastOf(nested)])).toBe('applied');
});

test('nothing that expands without end is read', async () => {
  const doc = A.from<Doc>({});
  expect(await outcome('segment', doc, [repeatedOperations(2 ** 29)])).toBe('too_large');
  const bomb = A.from({ bomb: new A.ImmutableString('a'.repeat(20_000_000)) });
  expect(await outcome('segment', doc, [A.save(bomb)])).toBe('too_large');
  expect(await outcome('segment', doc, [deflated(A.getLastLocalChange(bomb)!)])).toBe('too_large');
  expect(await outcome('segment', doc, [new Uint8Array(30)])).toBe('invalid');
});

test('more heads, actors and keys than any document has are not applied', async () => {
  const base = A.from<Doc>({ settings: {} });
  const saved = A.save(base);
  const concurrent = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      lastOf(edited(load(saved), (draft) => void (draft.settings!['k'] = i))),
    );
  expect(await outcome('account', base, concurrent(20))).toBe('applied');
  expect(await outcome('account', base, concurrent(4 * documentLimits.account.heads))).toBe(
    'too_large',
  );
  let wide = base;
  const most = documentLimits.card.keys[1]!;
  for (let from = 0; from <= 4 * most; from += 500)
    wide = edited(wide, (draft) => {
      for (let i = from; i < from + 500; i++) draft.settings![`k${i}`] = i;
    });
  expect(await outcome('card', null, [A.save(wide)])).toBe('full');
  expect(await outcome('account', null, [A.save(wide)])).toBe('applied');
});

test('a document that no device writes has the server’s limits, and one that this device may write has room for what is unsent', async () => {
  for (const kind of ['friend_card', 'card'] as const) {
    const most = documentLimits[kind].keys[0]!;
    const wide = (count: number) =>
      A.save(A.from(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))));
    const beyond = kind === 'card' ? 'applied' : 'full';
    expect(await outcome(kind, null, [wide(most)])).toBe('applied');
    expect(await outcome(kind, null, [wide(most + 1)])).toBe(beyond);
    expect(await outcome(kind, null, [wide(2 * most + 1)])).toBe('full');
  }
});

test('keys that were deleted and are set again in a fork are not applied beyond the limit', async () => {
  const most = 2 * documentLimits.card.keys[1]!;
  const full = edited(A.from<Doc>({ settings: {} }), (draft) => {
    for (let i = 0; i < most; i++) draft.settings![`k${i}`] = i;
  });
  const emptied = edited(full, (draft) => {
    for (let i = 0; i < most; i++) delete draft.settings![`k${i}`];
  });
  const filled = edited(emptied, (draft) => {
    for (let i = 0; i < most; i++) draft.settings![`m${i}`] = i;
  });
  const again = edited(load(A.save(full)), (draft) => void (draft.settings!['k1'] = 'again'));
  expect(await outcome('card', full, [lastOf(again)])).toBe('applied');
  expect(await outcome('card', filled, [lastOf(again)])).toBe('full');
});

test('everything that the app writes is applied', async () => {
  const { 'message.add': add, 'reaction.set': react } = segmentChanges;
  let doc = A.from<Doc>(initialSegment('author', '', place) as never);
  const before = doc;
  for (let n = 1; n <= 200; n++)
    doc = A.change(doc, { time: 0 }, (draft) => {
      const message = { key: `m${n}`, seq: n, device: 'd1', at: '2026-11-27T00:00:00.000Z' };
      const reply_to = { number: 1, is_own: true, key: 'm1' };
      add.apply(draft as never, { ...message, text: 'x'.repeat(2_000), reply_to });
      react.apply(draft as never, { key: `r${n}`, reaction: '👍' } as never);
    });
  const all = A.getChanges(before, doc);
  expect(await outcome('segment', before, all)).toBe('applied');
  expect(await outcome('segment', doc, all)).toBe('applied');
  expect(await outcome('segment', null, [A.save(doc)])).toBe('applied');
  for (const kind of ['account', 'card', 'contacts'] as const) {
    const initial = documentKinds[kind].initial('ann', '2026-11-21T12:00:00.000Z');
    expect(await outcome(kind, null, [A.save(A.from(initial as unknown as Doc))])).toBe('applied');
  }
});

test('operations are read alike from changes, from whole documents and by Automerge', () => {
  const steps = fc.array(
    fc.record({ key: fc.constantFrom('x', 'y', 'é'), value: fc.integer(), nest: fc.boolean() }),
    { minLength: 1, maxLength: 25 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      let doc = A.from<Doc>({});
      for (const { key, value, nest } of all)
        doc = A.change(doc, (draft) => {
          const inner = draft[key] as Doc | undefined;
          if (nest && typeof inner === 'object') inner[`k${value}`] = { list: [value] };
          else draft[key] = nest ? {} : value;
        });
      const changes = A.getAllChanges(doc).map((change) => readOperations(openChange(change).body));
      expect(A.getAllChanges(doc).map(decodedOperations)).toEqual(changes);
      const made = (operations: (typeof changes)[number]) =>
        operations
          .filter(({ makes }) => makes)
          .map(({ id, object, makes }) => `${id} ${object} ${makes}`)
          .toSorted();
      eachChunk(A.save(doc), (_, body) => {
        const inflate = (bytes: Uint8Array) => inflateRawSync(bytes);
        const whole = readDocumentOperations(body, inflate);
        expect(made(whole.operations)).toEqual(made(changes.flat()));
        expect(whole.heads).toBe(1);
      });
    }),
    { numRuns: 50 },
  );
});
