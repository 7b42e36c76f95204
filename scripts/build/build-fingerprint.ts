import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const COMMON = ['shared', 'tsconfig.json', 'package-lock.json'];
const INPUTS = {
  client: [
    'client',
    'vite.config.ts',
    'scripts/build/client-chunks.ts',
    'scripts/build/client-plugins.ts',
    ...COMMON,
  ],
  servers: [
    'api',
    'sync-server',
    'gateway',
    'scripts/docker',
    'scripts/backup',
    'scripts/cli',
    'scripts/stack',
    'scripts/build/server-build.ts',
    ...COMMON,
  ],
};

/** A build product: a folder in `dist/`. */
export type Product = keyof typeof INPUTS;
export const PRODUCTS = Object.keys(INPUTS) as Product[];

/** Returns the folder of a product. */
export const folderOf = (product: Product) => join(ROOT, 'dist', product);
/** Returns the file with the fingerprint of a product's sources. */
export const fingerprintFile = (product: Product) => `${folderOf(product)}.inputs`;

/** Whether a product was built from the current sources. */
export function isBuilt(product: Product, env: NodeJS.ProcessEnv): boolean {
  try {
    return readFileSync(fingerprintFile(product), 'utf8') === fingerprint(product, env);
  } catch {
    return false;
  }
}

/** Returns a hash of all sources and settings of a product. */
export function fingerprint(product: Product, env: NodeJS.ProcessEnv): string {
  const hash = createHash('sha256');
  if (product === 'client')
    for (const name of ['PRODUCT_NAME', 'SIGN_IN_NAME'])
      hash.update(`${name}=${env[name] ?? ''}\n`);
  for (const input of INPUTS[product])
    for (const file of filesOf(input))
      hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

function filesOf(input: string): string[] {
  if (statSync(join(ROOT, input)).isFile()) return [input];
  return readdirSync(join(ROOT, input), { recursive: true, encoding: 'utf8' })
    .map((name) => join(input, name))
    .filter((file) => statSync(join(ROOT, file)).isFile())
    .toSorted();
}
