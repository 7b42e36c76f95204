import { copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { CLIENT_DIR, FINGERPRINT_FILE, fingerprint } from './built.ts';

const COMPRESSED = /\.(html|js|css|json|svg|wasm|webmanifest|txt)$/;
/** Brotli's best takes seconds a megabyte: from here on, one step down. */
const LARGE_BYTES = 1_000_000;
const SMALLEST_BYTES = 512;

// Taken first: what is changed while we build is not in it.
const made = fingerprint(process.env);
const building = join(dirname(CLIENT_DIR), `client.${process.pid}`);
const previous = `${building}.old`;
try {
  await build({ logLevel: 'warn', build: { outDir: building, emptyOutDir: true } });
  await compress(building);
  await mkdir(dirname(CLIENT_DIR), { recursive: true });
  await replaceClient();
} finally {
  await rm(building, { recursive: true, force: true });
  await rm(previous, { recursive: true, force: true });
}

/** Another build may be at the same point: whichever comes second finds a client that is as new as its own. */
async function replaceClient(): Promise<void> {
  await rm(FINGERPRINT_FILE, { force: true });
  await rename(CLIENT_DIR, previous).catch(unless('ENOENT'));
  await rename(building, CLIENT_DIR).catch(unless('ENOTEMPTY'));
  await writeFile(FINGERPRINT_FILE, made);
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
        if (bytes.length < SMALLEST_BYTES || (await reuse(name))) return;
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
async function reuse(name: string): Promise<boolean> {
  if (!name.startsWith(`assets${sep}`)) return false;
  try {
    for (const suffix of ['.br', '.gz'])
      await copyFile(join(CLIENT_DIR, name + suffix), join(building, name + suffix));
    return true;
  } catch {
    return false;
  }
}
