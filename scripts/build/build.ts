import { copyFile, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import {
  fingerprint,
  fingerprintFile,
  folderOf,
  PRODUCTS,
  type Product,
} from './build-fingerprint.ts';
import { copyFormerAssets } from './previous-assets.ts';
import { serverBuild } from './server-build.ts';

const COMPRESSED = /\.(html|js|css|json|svg|wasm|webmanifest|txt)$/;
/** Above this size, Brotli uses one level less than the best, which takes seconds per megabyte. */
const LARGE_BYTES = 1_000_000;
const SMALLEST_BYTES = 512;

/** `npm run build [product…]`: builds all products, or those that are named. */
const named = process.argv.slice(2);
for (const product of PRODUCTS)
  if (named.length === 0 || named.includes(product)) await buildProduct(product);

async function buildProduct(product: Product): Promise<void> {
  // Before the build: a source that changes during the build makes it stale.
  const sources = fingerprint(product, process.env);
  const building = `${folderOf(product)}.${process.pid}`;
  try {
    if (product === 'servers') await build(serverBuild(building));
    else {
      await build({ logLevel: 'warn', build: { outDir: building, emptyOutDir: true } });
      await compress(building);
      await copyFormerAssets(folderOf(product), building, `${folderOf(product)}.assets.json`);
    }
    await replace(product, building);
    await writeFile(fingerprintFile(product), sources);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** Replaces a product in one step. If another build does so at the same time, either result is as new. */
async function replace(product: Product, building: string): Promise<void> {
  const previous = `${building}.old`;
  await rm(fingerprintFile(product), { force: true });
  await rename(folderOf(product), previous).catch(unless('ENOENT'));
  await rename(building, folderOf(product)).catch(unless('ENOTEMPTY'));
  await rm(previous, { recursive: true, force: true });
}

function unless(code: string): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (error.code !== code) throw error;
  };
}

/** Writes a `.br` and a `.gz` next to each file that becomes smaller. */
async function compress(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    names
      .filter((name) => COMPRESSED.test(name))
      .map(async (name) => {
        const path = join(folder, name);
        const bytes = await readFile(path);
        if (bytes.length < SMALLEST_BYTES || (await reuse(folder, name))) return;
        const quality = bytes.length > LARGE_BYTES ? 10 : 11;
        const [brotli, gzipped] = await Promise.all([
          promisify(brotliCompress)(bytes, {
            params: { [constants.BROTLI_PARAM_QUALITY]: quality },
          }),
          promisify(gzip)(bytes, { level: 9 }),
        ]);
        if (brotli.length < bytes.length) await writeFile(`${path}.br`, brotli);
        if (gzipped.length < bytes.length) await writeFile(`${path}.gz`, gzipped);
      }),
  );
}

/** Copies the compressed variants of the last build, if the file's name has its hash. @returns whether there were any */
async function reuse(folder: string, name: string): Promise<boolean> {
  if (!name.startsWith(`assets${sep}`)) return false;
  try {
    for (const suffix of ['.br', '.gz'])
      await copyFile(join(folderOf('client'), name + suffix), join(folder, name + suffix));
    return true;
  } catch {
    return false;
  }
}
