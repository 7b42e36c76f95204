import { randomBytes } from 'node:crypto';
import { next as A } from '@automerge/automerge';
import type { Message } from '@automerge/automerge-repo';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentKinds, type DocumentKind } from '#shared/document-kinds.ts';
import {
  documentLimits,
  FRAME_MAX_BYTES,
  HEADS_MERGED_ABOVE,
  messageLimits,
} from '#shared/sync/limits.ts';
import { Refusal } from '#shared/sync/refusals.ts';
import { readSyncMessage } from '#shared/sync/sync-message.ts';
import { Uploads } from '../../../client/platform/sync/connection/uploads.ts';
import { loadCore } from '../../../sync-server/core/documents/automerge-core.ts';
import { DocumentContent } from '../../../sync-server/core/documents/document-content.ts';
import {
  BATCH_MAX_BYTES,
  SEND_BUFFER_MAX_BYTES,
  WAITING_MAX_BYTES,
} from '../../../sync-server/core/limits.ts';
import { validateChunks } from '../../../sync-server/core/protocol/sync-message.ts';

type Doc = Record<string, Record<string, unknown>>;
const KINDS = Object.keys(documentLimits) as DocumentKind[];
const WRITTEN = KINDS.filter((kind) => documentKinds[kind].ownerWrites);
const text = (value: string) => new A.ImmutableString(value);
/** Nothing of it can be compressed away. */
const words = (length: number) =>
  text(
    randomBytes(Math.ceil(length / 2))
      .toString('hex')
      .slice(0, length),
  );
/** Where devices may add keys, in each kind that they write. */
const MAP = { card: 'dogs', account: 'quiet_places', segment: 'messages' } as Record<
  string,
  string
>;

const initial = (): A.Doc<Doc> =>
  A.change(A.init<Doc>({ actor: '00' }), { time: 0 }, (doc) => {
    for (const map of Object.values(MAP)) doc[map] = {};
  });
const start = initial();

let actors = 1;
const nextActor = () => (actors++).toString(16).padStart(32, '0');

/** Whether a document is within the limits of its kind, by Automerge's own account. */
function isAllowed(doc: A.Doc<Doc>, kind: DocumentKind): boolean {
  const limits = documentLimits[kind];
  const { numOps, numChanges, numActors } = A.stats(doc);
  return (
    numOps <= limits.operations &&
    numChanges <= limits.changes &&
    numActors <= limits.actors &&
    loadCore(A.save(doc)).saveNoCompress().length <= limits.bytes
  );
}

/** A server's document, as it checks what devices send. */
const onServer = (kind: DocumentKind) =>
  new DocumentContent(loadCore(A.save(start)), documentLimits[kind], () => {});

/** Sends a document with the client's code to the server's. @returns what was refused for good, and how many messages it took */
function upload(doc: A.Doc<Doc>, kind: DocumentKind) {
  const content = onServer(kind);
  const refused: string[] = [];
  let messages = 0;
  const waiting: Message[] = [];
  const uploads = new Uploads((message) => waiting.push(message), {
    add: (_, reason) => refused.push(reason),
    isHeld: () => false,
  });
  const message = A.encodeSyncMessage({
    heads: A.getHeads(doc),
    need: [],
    have: [{ lastSync: A.getHeads(start), bloom: new Uint8Array() }],
    changes: A.getChanges(start, doc),
  });
  uploads.take('d', { type: 'sync', documentId: 'd' } as never, message);
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    messages++;
    expect(next.data!.length).toBeLessThanOrEqual(FRAME_MAX_BYTES);
    try {
      const { chunks } = readSyncMessage(next.data!);
      content.apply(chunks, validateChunks(chunks));
      uploads.answered('d');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      content.restore(false);
      if (!uploads.refused('d', error.reason)) refused.push(error.message);
    }
  }
  return { content, refused, messages };
}

/** One branch of what a device wrote: changes with a number of keys each, of texts of a length. */
interface Branch {
  changes: number;
  keys: number;
  length: number;
}
const branch = fc.record({
  changes: fc.integer({ min: 1, max: 20 }),
  keys: fc.integer({ min: 1, max: 12 }),
  length: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 400 }) },
    { weight: 1, arbitrary: fc.integer({ min: 10_000, max: 120_000 }) },
  ),
});

function written(from: A.Doc<Doc>, map: string, { changes, keys, length }: Branch): A.Doc<Doc> {
  const actor = nextActor();
  let doc = A.clone(from, { actor });
  for (let i = 0; i < changes; i++)
    doc = A.change(doc, { time: 0 }, (draft) => {
      for (let k = 0; k < keys; k++)
        draft[map]![`${actor.slice(-6)}-${(i * keys + k) % 10}`] = words(length);
    });
  return doc;
}

/** Every state of these documents is within the limits, also in its number of keys. */
test('whatever a document may hold can be sent by the client in parts that the server takes', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...WRITTEN),
      fc.array(fc.tuple(branch, fc.boolean()), { minLength: 1, maxLength: 20 }),
      (kind, branches) => {
        let doc = A.clone(start, { actor: nextActor() });
        for (const [each, isConcurrent] of branches)
          doc = A.merge(doc, written(isConcurrent ? start : doc, MAP[kind]!, each));
        fc.pre(isAllowed(doc, kind));
        // As a whole, and each change alone.
        validateChunks([A.save(doc)]);
        for (const change of A.getAllChanges(doc)) validateChunks([change]);
        const { content, refused } = upload(doc, kind);
        expect(refused).toEqual([]);
        // The server may have merged heads.
        for (const head of A.getHeads(doc)) expect(content.hasChange(head)).toBe(true);
      },
    ),
    { numRuns: 15, endOnFailure: true },
  );
}, 120_000);

/** Changes that no document of a kind may have, by the reason for which they are refused. */
const EXCESSES: Record<string, (doc: Doc, kind: DocumentKind) => void> = {
  too_deep(doc, kind) {
    let value: Record<string, unknown> = {};
    for (let depth = 0; depth < documentLimits[kind].keys.length; depth++) value = { value };
    doc[MAP[kind]!]!['deep'] = value;
  },
  too_large(doc, kind) {
    for (let i = 0; i <= documentLimits[kind].operationsPerChange; i++)
      doc[MAP[kind]!]!['same'] = i;
  },
  full(doc, kind) {
    for (let i = 0; i <= documentLimits[kind].keys[0]!; i++)
      (doc as Record<string, unknown>)[`k${i}`] = i;
  },
};

test('what exceeds a limit is refused with a reason, and everything else arrives', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...WRITTEN),
      fc.constantFrom(...Object.keys(EXCESSES)),
      // Short, so that these exceed nothing.
      fc.array(
        branch.map((each) => ({ ...each, length: each.length % 400 })),
        { minLength: 1, maxLength: 6 },
      ),
      fc.nat(),
      (kind, reason, branches, place) => {
        fc.pre(
          reason !== 'full' ||
            documentLimits[kind].keys[0]! < documentLimits[kind].operationsPerChange,
        );
        let doc = A.clone(start, { actor: nextActor() });
        const allowed: string[] = [];
        let excess = '';
        for (const [i, each] of branches.entries()) {
          if (i === place % branches.length) {
            const exceeding = A.change(
              A.clone(start, { actor: nextActor() }),
              { time: 0 },
              (draft) => EXCESSES[reason]!(draft, kind),
            );
            [excess = ''] = A.getHeads(exceeding);
            doc = A.merge(doc, exceeding);
          }
          const one = written(start, MAP[kind]!, each);
          allowed.push(...A.getHeads(one));
          doc = A.merge(doc, one);
        }
        const { content, refused } = upload(doc, kind);
        expect(refused).toHaveLength(1);
        expect(content.hasChange(excess)).toBe(false);
        for (const head of allowed) expect(content.hasChange(head)).toBe(true);
      },
    ),
    { numRuns: 12, endOnFailure: true },
  );
}, 120_000);

test('a document that is nearly full can be sent in parts', () => {
  // The other kinds have the same limits, but for the operations of a change.
  const limits = documentLimits.segment;
  const nearly = (most: number) => Math.floor(0.98 * most);
  const branches: Branch[] = [
    { changes: nearly(Math.min(limits.changes, limits.operations)), keys: 1, length: 8 },
    { changes: 1, keys: nearly(limits.operations), length: 8 },
    { changes: 29, keys: documentLimits.account.operationsPerChange, length: 8 },
    { changes: 1, keys: 1, length: nearly(limits.bytes) },
    { changes: 35, keys: 1, length: Math.floor(nearly(limits.bytes) / 35) },
  ];
  for (const each of branches) {
    const doc = written(start, 'messages', each);
    expect(isAllowed(doc, 'segment')).toBe(true);
    validateChunks([A.save(doc)]);
    const { content, refused } = upload(doc, 'segment');
    expect(refused).toEqual([]);
    expect(content.heads).toEqual(A.getHeads(doc));
  }
}, 120_000);

test('changes of almost a whole document’s bytes fit into one message', () => {
  const doc = written(start, 'messages', { changes: 40, keys: 1, length: 100_000 });
  const changes = A.getChanges(start, doc);
  const content = onServer('segment');
  content.apply(changes, validateChunks(changes));
  expect(content.heads).toEqual(A.getHeads(doc));
});

test('more devices than a document has heads can all add what they wrote offline', () => {
  const count = documentLimits.account.heads + 20;
  let doc = A.clone(start, { actor: nextActor() });
  for (let i = 0; i < count; i++)
    doc = A.merge(doc, written(start, 'quiet_places', { changes: 1, keys: 1, length: 10 }));
  const { content, refused } = upload(doc, 'account');
  expect(refused).toEqual([]);
  for (const head of A.getHeads(doc)) expect(content.hasChange(head)).toBe(true);
  expect(content.heads.length).toBeLessThanOrEqual(HEADS_MERGED_ABOVE);
});

test.each(WRITTEN)('no limit of a document of the kind %s contradicts another one', (kind) => {
  const limits = documentLimits[kind];
  // The smallest change has an operation of its own, and a device at least one change.
  expect(limits.changes).toBeLessThanOrEqual(limits.operations);
  expect(limits.actors).toBeLessThanOrEqual(limits.changes);
  expect(limits.operationsPerChange).toBeLessThanOrEqual(limits.operations);
  expect(limits.heads).toBeGreaterThan(HEADS_MERGED_ABOVE);
  // A whole document is one message, and so is each of its changes.
  expect(messageLimits.operations).toBeGreaterThanOrEqual(limits.operations);
  expect(messageLimits.changes).toBeGreaterThanOrEqual(limits.changes);
  expect(messageLimits.references).toBeGreaterThanOrEqual(limits.operations);
  expect(messageLimits.bytes).toBeGreaterThan(limits.bytes);
  expect(FRAME_MAX_BYTES).toBeGreaterThan(messageLimits.bytes);
});

test('what a message may hold can be stored and sent on', () => {
  for (const kind of KINDS) {
    expect(BATCH_MAX_BYTES).toBeGreaterThanOrEqual(messageLimits.bytes);
    expect(SEND_BUFFER_MAX_BYTES).toBeGreaterThan(documentLimits[kind].bytes);
  }
  // Parts follow each other in order, so that none waits for another one.
  expect(WAITING_MAX_BYTES).toBeLessThan(messageLimits.bytes);
});
