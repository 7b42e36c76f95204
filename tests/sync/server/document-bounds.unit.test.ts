import { next as A } from '@automerge/automerge';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { initialSegment, segmentChanges } from '#shared/chat/document.ts';
import type { DocumentKind } from '#shared/document-kinds.ts';
import { documentLimits, HEADS_MERGED_ABOVE, type DocumentLimits } from '#shared/sync/limits.ts';
import type { Refusal } from '#shared/sync/refusals.ts';
import { loadCore, type CoreDocument } from '../../../sync-server/core/documents/automerge-core.ts';
import { DocumentContent } from '../../../sync-server/core/documents/document-content.ts';
import { collectChanges } from '../../../sync-server/core/documents/segment-changes.ts';
import { validateChunks } from '../../../sync-server/core/protocol/sync-message.ts';
import { nestMaps } from '../raw-device.ts';

interface Doc {
  [field: string]: unknown;
  a?: { b: { c: Record<string, unknown> } };
  messages: Record<string, unknown>;
  received: Record<string, unknown>;
  read: Record<string, unknown>;
  settings: Record<string, unknown>;
}
const place = { thread_id: 'thread', number: 1, friend_user_id: 'friend', after: 0 };
const segment = { id: 'segment', ownerUserId: 'author' };
const empty = A.save(A.from<Doc>(initialSegment('author', '', place) as never, '00'));

let actors = 1;
const start = (saved = empty) =>
  A.load<Doc>(saved, { actor: (actors++).toString(16).padStart(8, '0') });
const edited = (doc: A.Doc<Doc>, edit: (draft: Doc) => void) =>
  A.change(A.clone(doc), { time: 0 }, edit);
const withSettings = () => A.from<Doc>({ settings: {}, messages: {}, received: {}, read: {} });
const lastOf = (doc: A.Doc<Doc>) => A.getLastLocalChange(doc)!;

const contentOf = (saved: Uint8Array, kind: DocumentKind = 'segment') =>
  new DocumentContent(loadCore(saved), documentLimits[kind], () => {});
const take = (content: DocumentContent, changes: Uint8Array[]) =>
  content.apply(changes, validateChunks(changes));

const message = (n: number) => ({
  key: `m${n}`,
  seq: n,
  device: 'd1',
  at: '2026-11-27T00:00:00Z',
  text: `text ${n}`,
  reply_to: { number: 1, is_own: true, key: 'm1' },
  photo: { width: 1, height: 1, image_key: 'k' },
});

const KINDS = Object.keys(documentLimits) as DocumentKind[];

test.each(KINDS)('nothing is deeper than the schema of a document of the kind %s', (kind) => {
  const saved = A.save(A.from({}));
  const deepest = documentLimits[kind].keys.length - 1;
  const outcomeOf = (depth: number) => {
    const content = contentOf(saved, kind);
    const { core, changes } = nestMaps(saved, depth);
    try {
      take(content, changes);
      return 'stored';
    } catch (error) {
      return (error as Refusal).reason;
    } finally {
      core.free();
      content.free();
    }
  };
  expect([deepest, deepest + 1, 900].map(outcomeOf)).toEqual(['stored', 'too_deep', 'too_deep']);
});

test('nothing becomes too deep in steps, nor below objects that are not visible', () => {
  const first = start();
  const deletes = edited(first, (draft) => void (draft.a = { b: { c: {} } }));
  const content = contentOf(A.save(deletes));
  const hidden = edited(deletes, (draft) => void delete draft.a);
  take(content, [lastOf(hidden)]);
  // By a device that does not know of the deletion.
  const deeper = edited(A.load<Doc>(A.save(deletes)), (draft) => {
    draft.a!.b.c['d'] = {};
  });
  expect(() => take(content, [lastOf(deeper)])).toThrow('too deep');
  content.free();
});

test('a collaborative text may stand where the schema has a text', () => {
  const doc = start();
  const content = contentOf(A.save(doc));
  const added = edited(doc, (draft) => {
    draft.messages['m1'] = { ...message(1), text: 'typed', reply_to: { key: 'typed' } };
  });
  take(content, [lastOf(added)]);
  expect(content.value()).toHaveProperty('messages.m1.reply_to.key', 'typed');
  content.free();
});

test('an object does not get more keys than the schema allows', () => {
  const doc = withSettings();
  const content = contentOf(A.save(doc), 'account');
  const most = documentLimits.account.keys[1]!;
  let last = doc;
  const addUpTo = (count: number) => {
    last = edited(last, (draft) => {
      const first = Object.keys(draft.settings).length;
      for (let i = first; i < Math.min(count, first + 1_000); i++) draft.settings[`k${i}`] = i;
    });
    take(content, [lastOf(last)]);
  };
  while (Object.keys(last['settings']).length < most) addUpTo(most);
  const full = last;
  expect(() => addUpTo(most + 1)).toThrow('too many keys');
  content.free();
  // What replaces something fits.
  const again = contentOf(A.save(full), 'account');
  take(again, [lastOf(edited(full, (draft) => void (draft.settings['k1'] = 'other')))]);
  again.free();
});

test('keys that were deleted and are set again in a fork count as well', () => {
  const most = documentLimits.account.keys[1]!;
  const saved = A.save(withSettings());
  const content = contentOf(saved, 'account');
  let main = A.load<Doc>(saved);
  const inParts = (change: (settings: Record<string, unknown>, i: number) => void) => {
    for (let from = 0; from < most; from += 1_000) {
      main = edited(main, (draft) => {
        for (let i = from; i < Math.min(most, from + 1_000); i++) change(draft.settings, i);
      });
      take(content, [lastOf(main)]);
    }
  };
  inParts((settings, i) => (settings[`k${i}`] = i));
  const fork = A.clone(main);
  inParts((settings, i) => delete settings[`k${i}`]);
  inParts((settings, i) => (settings[`m${i}`] = i));
  // By a device that does not know of the deletions: it replaces what is there.
  const again = edited(fork, (draft) => {
    for (let i = 0; i < 1_000; i++) draft.settings[`k${i}`] = -i - 1;
  });
  expect(() => take(content, [lastOf(again)])).toThrow('too many keys');
  content.free();
});

test('a change does not have more operations than any of the app', () => {
  const doc = withSettings();
  const content = contentOf(A.save(doc), 'account');
  const large = edited(doc, (draft) => {
    for (let i = 0; i <= documentLimits.account.operationsPerChange; i++)
      draft.settings[`k${i}`] = i;
  });
  expect(() => take(content, [lastOf(large)])).toThrow('too many operations in a change');
  content.free();
});

test('empty changes and actors count as well', () => {
  const doc = withSettings();
  const saved = A.save(doc);
  const limits = { ...documentLimits.account, changes: 10, actors: 5 };
  const content = new DocumentContent(loadCore(saved), limits, () => {});
  let last = doc;
  const next = (actor?: string) => {
    last = A.emptyChange(A.clone(last, actor ? { actor } : undefined), { time: 0 });
    take(content, [lastOf(last)]);
  };
  for (let i = 1; i < 5; i++) next(`0${i}`);
  expect(() => next('05')).toThrow('too many actors');
  content.free();
  const other = new DocumentContent(loadCore(saved), { ...limits, actors: 50 }, () => {});
  last = doc;
  const more = () => {
    last = A.emptyChange(A.clone(last), { time: 0 });
    take(other, [lastOf(last)]);
  };
  for (let i = 1; i < 10; i++) more();
  expect(more).toThrow('too many changes');
  other.free();
});

/** Changes of this many devices that do not know of each other. */
const concurrent = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    lastOf(edited(start(), (draft) => void (draft.received[`d${i}`] = i + 1))),
  );

test('a message with thousands of concurrent changes is refused', () => {
  const content = contentOf(empty);
  expect(() => take(content, concurrent(documentLimits.segment.heads + 1))).toThrow(
    'too many heads',
  );
  content.free();
});

test('the heads of many devices are merged, in the same way on each node', () => {
  const changes = concurrent(HEADS_MERGED_ABOVE + 1);
  const [one, other] = [contentOf(empty), contentOf(empty)];
  for (const change of changes) take(one, [change]);
  take(other, changes.toReversed());
  expect(one.heads).toHaveLength(1);
  expect(other.heads).toEqual(one.heads);
  expect(Object.keys((one.value() as Doc)['received'])).toHaveLength(changes.length);
  // The merge is stored.
  const stored = loadCore(empty);
  stored.loadIncremental(one.takeUnsaved());
  expect(stored.getHeads()).toEqual(one.heads);
  for (const each of [one, other, stored]) each.free();
});

/** Counts what is asked of a document, and how much it answers. */
function counted(core: CoreDocument): { core: CoreDocument; work: () => number } {
  let work = 0;
  const proxy = new Proxy(core, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown;
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        const answer: unknown = method.apply(target, args);
        const path = (answer as { path?: unknown[] } | null)?.path;
        work += 1 + (Array.isArray(answer) ? answer.length : Array.isArray(path) ? path.length : 0);
        return answer;
      };
    },
  });
  return { core: proxy, work: () => work };
}

function grown(messages: number): A.Doc<Doc> {
  return edited(start(), (draft) => {
    for (let n = 1; n <= messages; n++)
      segmentChanges['message.add'].apply(draft as never, message(n));
    for (let n = 1; n <= messages; n++) draft.read[`r${n}`] = n;
  });
}

test('projecting a change takes as much work in a large segment as in a small one', () => {
  const work = [3, 300].map((size) => {
    const before = grown(size);
    const heads = A.getHeads(before);
    const after = edited(before, (draft) => {
      segmentChanges['message.add'].apply(draft as never, message(1_000));
      const { photo } = draft.messages['m2'] as { photo: Record<string, unknown> };
      photo['image_key'] = new A.ImmutableString('new');
      segmentChanges['marks.set'].apply(draft as never, { received: {}, read: { d9: 4 } });
    });
    const whole = loadCore(A.save(after));
    const { core, work: total } = counted(whole);
    const changes = collectChanges(core, segment, place, heads)!;
    expect(changes.messages.map(({ key, photo }) => [key, photo?.image_key])).toEqual([
      ['m1000', 'k'],
      ['m2', 'new'],
    ]);
    expect(changes.read).toEqual({ d9: 4 });
    whole.free();
    return total();
  });
  expect(work[1]).toBe(work[0]);
});

test('projecting nested objects takes work in proportion to their number', () => {
  const workFor = (depth: number) => {
    const { core, before } = nestMaps(empty, depth, 'messages');
    const { core: proxy, work } = counted(core);
    expect(collectChanges(proxy, segment, place, before)).toBeNull();
    core.free();
    return work();
  };
  expect(workFor(8_000)).toBeLessThanOrEqual(workFor(80));
});

test('a replaced map of messages is projected as a whole, and other types are left out', () => {
  const before = grown(2);
  const after = edited(before, (draft) => {
    draft.messages = {};
    segmentChanges['message.add'].apply(draft as never, message(7));
    draft.messages['list'] = [1];
    draft.messages['number'] = 5;
    draft.messages['map'] = { text: {}, seq: [] };
  });
  const core = loadCore(A.save(after));
  const found = collectChanges(core, segment, place, A.getHeads(before));
  expect(found?.messages.map(({ key }) => key)).toEqual(['m7']);
  core.free();
});

test('a projected message is the same as a reader of the whole document sees', () => {
  const doc = grown(3);
  const core = loadCore(A.save(doc));
  const found = collectChanges(core, segment, place, [])!;
  const expected = [1, 2, 3].map((n) => message(n));
  expect(found.messages.toSorted((a, b) => a.seq - b.seq)).toEqual(expected);
  expect(found.read).toEqual({ r1: 1, r2: 2, r3: 3 });
  core.free();
});

test('changes that waited are checked when another node stores what they depend on', () => {
  const first = edited(start(), (draft) => void (draft.settings = {}));
  const content = contentOf(empty);
  const { core, changes } = nestMaps(A.save(first), 900);
  take(content, changes);
  content.applyStored(lastOf(first));
  expect(content.value()).not.toHaveProperty('a');
  expect(content.value()).toHaveProperty('settings', {});
  core.free();
  content.free();
});

test('nothing of a message is stored that is refused because dependencies are missing', () => {
  const content = contentOf(empty, 'account');
  const good = edited(start(), (draft) => void (draft['good'] = 1));
  let other = edited(start(), (draft) => void (draft['missing'] = 1));
  const changes = [lastOf(good)];
  for (let i = 0; i < 2; i++) {
    other = edited(other, (draft) => {
      draft['large'] = new A.ImmutableString(`${i}`.repeat(600_000));
    });
    changes.push(lastOf(other));
  }
  expect(() => take(content, changes)).toThrow('without their dependencies');
  expect(content.hasUnsaved).toBe(false);
  expect(content.restore(false)).toBe(true);
  expect(content.value()).not.toHaveProperty('good');
  content.free();
});

test('a document that is full is not merged, and what filled it is accepted', () => {
  const count = HEADS_MERGED_ABOVE + 1;
  const limits = { ...documentLimits.account, changes: count + 1 };
  const content = new DocumentContent(loadCore(empty), limits, () => {});
  const changes = Array.from({ length: count }, (_, i) =>
    lastOf(edited(start(), (draft) => void (draft['n'] = i))),
  );
  take(content, changes);
  expect(content.heads).toHaveLength(count);
  expect(content.load().getHeads()).toEqual(content.heads);
  content.free();
});

/** Limits of which random changes reach some. */
const someLimits: fc.Arbitrary<DocumentLimits> = fc.record({
  keys: fc.constantFrom([3, 4, 2], [9, 9, 9, 9, 9]),
  operations: fc.constantFrom(15, 10_000),
  changes: fc.constantFrom(12, 10_000),
  actors: fc.constantFrom(4, 10_000),
  heads: fc.constantFrom(1, 64),
  operationsPerChange: fc.constantFrom(4, 10_000),
  bytes: fc.constantFrom(900, 1_000_000),
  hasEpochs: fc.constant(false),
});

/** A change of one of some devices: of several keys at a path, or what another device has. */
const randomStep = fc.oneof(
  fc.record({
    device: fc.nat(2),
    path: fc.constantFrom<string[][]>([], ['a'], ['b'], ['a'], ['b'], ['a', 'b'], ['a', 'b', 'c']),
    keys: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { minLength: 1, maxLength: 3 }),
    value: fc.constantFrom(1, 2, 3, {}, { deep: {} }, null, null, 'long'.repeat(50)),
    isSent: fc.boolean(),
  }),
  fc.record({ device: fc.nat(2), from: fc.nat(2) }),
);

/** The deepest object, and the most keys by depth. */
function shapeOf(value: unknown, depth: number, keys: number[] = []): number[] {
  if (typeof value !== 'object' || value === null || A.isImmutableString(value)) return keys;
  const entries = Object.values(value);
  keys[depth] = Math.max(keys[depth] ?? 0, entries.length);
  for (const entry of entries) shapeOf(entry, depth + 1, keys);
  return keys;
}

test('whatever devices send in whatever order, what is stored is within all limits and can be loaded', () => {
  const reasons = new Set<string>();
  let accepted = 0;
  fc.assert(
    fc.property(
      someLimits,
      fc.array(randomStep, { minLength: 15, maxLength: 30 }),
      (limits, steps) => {
        const saved = A.save(A.from({ a: {}, b: {} }, '00'));
        const content = new DocumentContent(loadCore(saved), limits, () => {});
        const devices = [0, 1, 2].map(() => start(saved));
        for (const each of steps) {
          const doc = devices[each.device]!;
          if ('from' in each) {
            if (each.from !== each.device) devices[each.device] = A.merge(doc, devices[each.from]!);
            continue;
          }
          const { path, keys, value } = each;
          const after = A.change(doc, { time: 0 }, (draft) => {
            let map = draft as Record<string, unknown>;
            for (const key of path) {
              if (shapeOf(map[key], 0).length === 0) map[key] = {};
              map = map[key] as Record<string, unknown>;
            }
            for (const key of keys)
              if (value === null) delete map[key];
              else map[key] = typeof value === 'string' ? new A.ImmutableString(value) : value;
          });
          devices[each.device] = after;
          if (!each.isSent) continue;
          const changes = A.getAllChanges(after).filter(
            (change) => !content.hasChange(A.decodeChange(change).hash),
          );
          if (changes.length === 0) continue;
          try {
            take(content, changes);
            accepted++;
          } catch (error) {
            reasons.add((error as Refusal).message);
            content.restore(false);
            // It starts over with what is stored.
            devices[each.device] = start(content.save());
          }
          const core = content.load();
          const { numOps, numChanges, numActors } = core.stats();
          const { length: bytes } = core.saveNoCompress();
          expect(numOps).toBeLessThanOrEqual(limits.operations);
          expect(numChanges).toBeLessThanOrEqual(limits.changes);
          expect(numActors).toBeLessThanOrEqual(limits.actors);
          expect(core.getHeads().length).toBeLessThanOrEqual(limits.heads);
          // Heads and names of actors come on top of changes.
          expect(bytes).toBeLessThanOrEqual(limits.bytes + 100);
          const shape = shapeOf(core.materialize('/'), 0);
          expect(shape.length).toBeLessThanOrEqual(limits.keys.length);
          for (const [depth, count] of shape.entries())
            expect(count).toBeLessThanOrEqual(limits.keys[depth]!);
          const again = loadCore(content.save());
          expect(again.getHeads()).toEqual(content.heads);
          again.free();
        }
        content.free();
      },
    ),
    { numRuns: 70 },
  );
  expect(accepted).toBeGreaterThan(100);
  // Of eight.
  expect(reasons.size).toBeGreaterThanOrEqual(5);
});

test('what was noted while changes were checked is projected like what is read of them later', () => {
  const before = A.load<Doc>(A.save(grown(3)), { actor: 'fa' });
  const edits: ((draft: Doc) => void)[] = [
    (draft) => segmentChanges['message.add'].apply(draft as never, message(7)),
    (draft) => {
      draft.read['d9'] = 4;
    },
    (draft) => {
      draft.messages = { m8: message(8) };
    },
  ];
  const content = new DocumentContent(loadCore(A.save(before)), documentLimits.segment, () => {}, {
    isTouchNoted: true,
  });
  let doc = before;
  let projected = A.getHeads(doc);
  for (const [i, edit] of edits.entries()) {
    doc = A.change(doc, { time: 0 }, edit);
    // The last one comes from another node.
    if (i < 2) take(content, [lastOf(doc)]);
    else content.applyStored(lastOf(doc));
    const core = loadCore(A.save(doc));
    const expected = collectChanges(core, segment, place, projected);
    const found = content.takeSegmentChanges(segment, place);
    // What another node has stored it has projected.
    expect(found).toEqual(i < 2 ? expected : null);
    projected = A.getHeads(doc);
    core.free();
  }
  content.free();
});
