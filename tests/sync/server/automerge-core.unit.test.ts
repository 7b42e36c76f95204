import { readFileSync } from 'node:fs';
import * as A from '@automerge/automerge';
import { expect, test } from 'vitest';
import { documentKinds } from '#shared/document-kinds.ts';
import type { PublishedCard } from '#shared/friends/friend-card.ts';
import {
  loadCore,
  makeChange,
  newSyncState,
} from '../../../sync-server/core/documents/automerge-core.ts';

// sync-server/core/documents/automerge-core.ts uses internals of the package: check here first before changing the version.
test('the Automerge versions are the tested ones', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  expect(manifest.dependencies['@automerge/automerge']).toBe('3.5.0');
  expect(manifest.devDependencies['@automerge/automerge-repo']).toBe('2.5.6');
});

test('the internal objects are those that the public API uses', () => {
  const core = loadCore(A.save(A.init()));
  expect(A.getBackend(A.init()).constructor).toBe(core.constructor);
  core.free();
});

test('the internal objects load, change, save and sync like the public API', () => {
  let doc = A.from({ list: ['a'] });
  const core = loadCore(A.save(doc));
  doc = A.change(doc, (draft) => void draft.list.push('b'));
  core.loadIncremental(A.getLastLocalChange(doc)!);
  expect(core.getHeads()).toEqual(A.getHeads(doc));
  expect(core.materialize('/')).toEqual({ list: ['a', 'b'] });
  expect(core.getMissingDeps([])).toEqual([]);
  expect(core.stats().numOps).toBeGreaterThan(0);
  expect(A.load(core.save())).toEqual(doc);
  const state = newSyncState();
  const message = A.decodeSyncMessage(core.generateSyncMessage(state)!);
  expect(message.heads).toEqual(A.getHeads(doc));
  state.free();
  core.free();
});

test('a change is made like by the public API, and leaves the document as it is', () => {
  const { initial, changes } = documentKinds.friend_card;
  const publish = changes['card.publish'];
  const dog = (id: string) => ({
    id,
    name: 'Rex',
    sound_type: 'bark',
    image_key: null,
    created_at: '2026-01-01T00:00:00.000Z',
  });
  const first = { display_name: 'Ann', join_date: '', about: 'Walks', dogs: [dog('a'), dog('b')] };
  const later = { ...first, about: null, image_key: 'key', dogs: [dog('b'), dog('c')] };
  const subject = { user_id: 'ann', card: first as unknown as PublishedCard };
  const actor = 'ab'.repeat(16);
  const saved = A.save(A.from(initial('bob', '', undefined, subject) as never));
  const before = A.load<object>(saved, { actor });
  const core = loadCore(saved);
  const make = (card: unknown) =>
    makeChange(core, actor, (draft, read) => publish.apply(draft as never, card as never, read));
  const after = A.change(before, { time: 0 }, (draft) =>
    publish.apply(draft as never, later as never),
  );
  expect(make(later)).toEqual(A.getLastLocalChange(after));
  expect(make(first)).toBeNull();
  expect(core.getHeads()).toEqual(A.getHeads(before));
  expect(() =>
    makeChange(core, actor, () => {
      throw new Error('broken');
    }),
  ).toThrow('broken');
  expect(core.materialize('/')).toMatchObject({ about: 'Walks' });
  core.free();
});
