import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startBalancer } from '../../gateway/balancer.ts';
import { copyFormerAssets } from '../../scripts/build/previous-assets.ts';
import { freePort } from '../../scripts/stack/ports.ts';

test('a page that was opened three builds ago loads its chunk, and one of four builds ago does not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'leashwise-assets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [current, list] = [join(folder, 'client'), join(folder, 'client.assets.json')];
  for (let build = 1; build <= 5; build++) {
    const building = join(folder, `building-${build}`);
    await mkdir(join(building, 'assets'), { recursive: true });
    await writeFile(join(building, 'index.html'), `build ${build}`);
    for (const name of [`chunk-aaaaaaa${build}.js`, 'same-bbbbbbbb.js'])
      await writeFile(join(building, 'assets', name), `// ${build}`);
    await copyFormerAssets(current, building, list);
    await rm(current, { recursive: true, force: true });
    await rename(building, current);
  }
  expect((await readdir(join(current, 'assets'))).toSorted()).toEqual([
    ...[2, 3, 4, 5].map((build) => `chunk-aaaaaaa${build}.js`),
    'same-bbbbbbbb.js',
  ]);
  const port = await freePort();
  const gateway = await startBalancer({
    port,
    hosts: ['127.0.0.1'],
    clientDir: current,
    apiPorts: [1],
    syncPorts: [1],
    trustedHops: 0,
    publicOrigin: `http://localhost:${port}`,
    isLocalOnly: true,
    googlePay: false,
    tileSource: null,
  });
  onTestFinished(() => gateway.close());
  const statusOf = async (path: string) =>
    (await fetch(`http://localhost:${port}/assets/${path}`)).status;
  expect(await statusOf('chunk-aaaaaaa2.js')).toBe(200);
  expect(await statusOf('chunk-aaaaaaa1.js')).toBe(404);
});
