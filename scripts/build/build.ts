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
import { serversInto } from './server-build.ts';

const COMPRESSED = /\.(html|js|css|json|svg|wasm|webmanifest|txt)$/;
/** Brotli's best takes seconds a megabyte: from here on, one step down. */
const LARGE_BYTES = 1_000_000;
const SMALLEST_BYTES = 512;

/** `npm run build`: all, or what is named. */
const named = process.argv.slice(2);
for (const product of PRODUCTS)
  if (named.length === 0 || named.includes(product)) await make(product);

async function make(product: Product): Promise<void> {
  // Taken first: what is changed while we build is not in it.
  const made = fingerprint(product, process.env);
  const building = `${folderOf(product)}.${process.pid}`;
  try {
    if (product === 'servers') await build(serversInto(building));
    else {
      await build({ logLevel: 'warn', build: { outDir: building, emptyOutDir: true } });
      await compress(building);
    }
    await replace(product, building);
    await writeFile(fingerprintFile(product), made);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** Another build may be at the same point: whichever comes second finds a product that is as new as its own. */
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

/** Leaves a `.br` and a `.gz` beside each file that gets smaller by it. */
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

/** A file whose name carries its hash is compressed already where the last build had it too. */
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
