import { readFileSync } from 'node:fs';
import * as A from '@automerge/automerge';
import { expect, test } from 'vitest';
import { loadCore, newSyncState } from '../../../sync-server/core/documents/automerge-core.ts';

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
