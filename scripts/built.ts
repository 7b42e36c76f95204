import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const INPUTS = [
  'client',
  'shared',
  'vite.config.ts',
  'scripts/chunks.ts',
  'tsconfig.json',
  'package-lock.json',
];

export const CLIENT_DIR = join(ROOT, 'dist', 'client');
/** Holds the fingerprint of what the built client was made from. */
export const FINGERPRINT_FILE = join(ROOT, 'dist', 'client.inputs');

/** Whether the built client is there and made from the sources as they are now. */
export function isBuilt(env: NodeJS.ProcessEnv): boolean {
  try {
    return readFileSync(FINGERPRINT_FILE, 'utf8') === fingerprint(env);
  } catch {
    return false;
  }
}

/** A hash of everything that the built client depends on. */
export function fingerprint(env: NodeJS.ProcessEnv): string {
  const hash = createHash('sha256').update(`PRODUCT_NAME=${env['PRODUCT_NAME'] ?? ''}\n`);
  for (const input of INPUTS)
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
