import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const EVERYWHERE = ['shared', 'tsconfig.json', 'package-lock.json'];
const INPUTS = {
  client: ['client', 'vite.config.ts', ...EVERYWHERE],
  servers: [
    'api',
    'sync-server',
    'gateway',
    'scripts/docker',
    'scripts/build/server-build.ts',
    ...EVERYWHERE,
  ],
};

/** What a build makes: a folder of `dist/` each. */
export type Product = keyof typeof INPUTS;
export const PRODUCTS = Object.keys(INPUTS) as Product[];

/** Where a product is built into. */
export const folderOf = (product: Product) => join(ROOT, 'dist', product);
/** Holds the fingerprint of what a product was made from. */
export const fingerprintFile = (product: Product) => `${folderOf(product)}.inputs`;

/** Whether a product is there and made from the sources as they are now. */
export function isBuilt(product: Product, env: NodeJS.ProcessEnv): boolean {
  try {
    return readFileSync(fingerprintFile(product), 'utf8') === fingerprint(product, env);
  } catch {
    return false;
  }
}

/** A hash of everything that a product depends on. */
export function fingerprint(product: Product, env: NodeJS.ProcessEnv): string {
  const hash = createHash('sha256');
  if (product === 'client') hash.update(`PRODUCT_NAME=${env['PRODUCT_NAME'] ?? ''}\n`);
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
