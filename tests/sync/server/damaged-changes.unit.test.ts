import * as A from '@automerge/automerge';
import { expect, test } from 'vitest';
import { documentLimits } from '#shared/sync/limits.ts';
import { loadCore } from '../../../sync-server/core/documents/automerge-core.ts';
import { DocumentContent } from '../../../sync-server/core/documents/document-content.ts';
import { validateChunks } from '../../../sync-server/core/protocol/sync-message.ts';
import { chunkOf, chunkParts } from '../raw-device.ts';

const ACTOR = 'abcd';
const text = (value: string) => new A.ImmutableString(value);

type Walk = Record<string, unknown> & {
  dogs: Record<string, unknown>;
  places: unknown[];
};
const before = A.change(
  A.from<Walk>({ dogs: { rex: 1 }, places: [text('Hyde Park')] }, ACTOR),
  { time: 0 },
  (draft) => {
    draft.dogs['luna'] = 2;
  },
);
// By another device.
const after = A.change(A.clone(before, 'ef01'), { time: 0 }, (draft) => {
  draft.dogs['luna'] = 'a puppy';
  draft.dogs['bella'] = { breed: 'corgi' };
  draft.places.push('Green Park');
  delete draft.dogs['rex'];
});
const saved = A.save(before);

/** Copies of the last change with one or two damaged bytes each and a correct checksum, always the same ones. */
function* damagedChanges(count: number): Generator<Uint8Array> {
  const { type, body } = chunkParts(A.getLastLocalChange(after)!);
  let state = 1;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 0x8000_0000;
    return Math.floor((state / 0x8000_0000) * below);
  };
  for (let i = 0; i < count; i++) {
    const damaged = Buffer.from(body);
    for (let bytes = 1 + random(2); bytes > 0; bytes--) damaged[random(body.length)] = random(256);
    yield chunkOf(type, damaged);
  }
}

/** Whether Automerge applies a change to the document, but cannot load the result. */
function makesUnreadable(change: Uint8Array): boolean {
  const core = loadCore(saved);
  try {
    core.applyChanges([change]);
  } catch {
    return false;
  }
  try {
    loadCore(core.save()).free();
    return false;
  } catch {
    return true;
  }
}

test('rejects each damaged change whose document could not be loaded again', () => {
  const unreadable = [...damagedChanges(2_000)].filter(makesUnreadable);
  expect(unreadable.length).toBeGreaterThan(5);
  for (const change of unreadable)
    for (const chunks of [[change], [A.getLastLocalChange(before)!, change]]) {
      const content = new DocumentContent(loadCore(saved), documentLimits.account, () => {});
      expect(() => content.apply(chunks, validateChunks(chunks))).toThrow();
      expect(content.hasUnsaved).toBe(false);
      content.free();
    }
});

test('a change with a wrong checksum, and what follows it, is stored as it can be loaded again', () => {
  const wrong = Buffer.from(A.getLastLocalChange(after)!);
  wrong[4]! ^= 0xff;
  const next = A.change(
    A.clone(after),
    { time: 0 },
    (draft) => void (draft.dogs['bella'] = 'asleep'),
  );
  const content = new DocumentContent(loadCore(saved), documentLimits.account, () => {});
  const reloaded = loadCore(saved);
  for (const change of [wrong, A.getLastLocalChange(next)!]) {
    content.apply([change], validateChunks([change]));
    reloaded.loadIncremental(content.takeUnsaved());
    expect(reloaded.getHeads()).toEqual(content.heads);
  }
  expect(reloaded.materialize('/')).toEqual(content.value());
  content.free();
  reloaded.free();
});

test('accepts undamaged changes of all kinds, one by one and together', () => {
  const changes = A.getAllChanges(
    A.change(after, (draft) => {
      draft.dogs['story'] = text('walks in the park '.repeat(500));
    }),
  );
  for (const batches of [changes.map((change) => [change]), [changes]]) {
    const content = new DocumentContent(
      loadCore(A.save(A.init())),
      documentLimits.account,
      () => {},
    );
    for (const chunks of batches) content.apply(chunks, validateChunks(chunks));
    expect(content.value()).toHaveProperty('dogs.luna', 'a puppy');
    content.free();
  }
});
