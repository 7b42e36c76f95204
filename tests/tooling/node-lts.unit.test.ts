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

test('the tests run on the Node release of each Docker image with Node', async () => {
  const dockerfile = await readFile(join(import.meta.dirname, '../../Dockerfile'), 'utf8');
  const versions = [...dockerfile.matchAll(/^FROM node:([\d.]+)/gm)].map(([, version]) => version);
  expect(new Set(versions)).toEqual(new Set([NODE_LTS.version]));
});

test('refuses a package that is not the pinned one, and deletes it', async () => {
  const pack = (folder: string) => writeFile(join(folder, 'node.tgz'), 'another package');
  await expect(findNodeLts({ ...linux, cacheDir, pack })).rejects.toThrow(
    "isn't the pinned package",
  );
  expect(await readdir(cacheDir)).toEqual([]);
});

test('returns the reason when npm cannot download the package', async () => {
  const pack = () => Promise.reject(new Error('no network'));
  expect(await findNodeLts({ ...linux, cacheDir, pack })).toEqual({
    reason: `npm couldn't download ${NODE_LTS.package}: no network`,
  });
  expect(await readdir(cacheDir)).toEqual([]);
});

test.each([
  ['darwin', 'x64'],
  ['linux', 'arm64'],
] as const)('downloads nothing on %s %s', async (platform, arch) => {
  const pack = () => Promise.reject(new Error('must not be called'));
  expect(await findNodeLts({ platform, arch, cacheDir, pack })).toEqual({
    reason: `${NODE_LTS.package} doesn't run on ${platform} ${arch}`,
  });
});
