import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findNodeLts, NODE_LTS } from '../../scripts/test/node-lts.ts';

let cacheDir: string;
beforeEach(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'leashwise-cache-'));
});
afterEach(() => rm(cacheDir, { recursive: true }));

const linux = { platform: 'linux', arch: 'x64' } as const;

test('the tests run on the Node release of every Docker image with Node', async () => {
  const dockerfile = await readFile(join(import.meta.dirname, '../../Dockerfile'), 'utf8');
  const versions = [...dockerfile.matchAll(/^FROM node:([\d.]+)/gm)].map(([, version]) => version);
  expect(new Set(versions)).toEqual(new Set([NODE_LTS.version]));
});

test('a package that is not the pinned one is refused, and none of it stays', async () => {
  const pack = (folder: string) => writeFile(join(folder, 'node.tgz'), 'another package');
  await expect(findNodeLts({ ...linux, cacheDir, pack })).rejects.toThrow('not the pinned package');
  expect(await readdir(cacheDir)).toEqual([]);
});

test('an npm that fetches nothing is the reason that there is none', async () => {
  const pack = () => Promise.reject(new Error('no network'));
  expect(await findNodeLts({ ...linux, cacheDir, pack })).toEqual({
    reason: `npm could not fetch ${NODE_LTS.package}: no network`,
  });
  expect(await readdir(cacheDir)).toEqual([]);
});

test.each([
  ['darwin', 'x64'],
  ['linux', 'arm64'],
] as const)('nothing is fetched for %s %s', async (platform, arch) => {
  const pack = () => Promise.reject(new Error('must not be called'));
  expect(await findNodeLts({ platform, arch, cacheDir, pack })).toEqual({
    reason: `${NODE_LTS.package} does not run on ${platform} ${arch}`,
  });
});
