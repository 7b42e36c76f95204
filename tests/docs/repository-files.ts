import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)));

export const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
export const exists = (path: string) => existsSync(join(ROOT, path));

/** Whether a path begins the path of a file: commands take the start of a path of tests. */
export const beginsPath = (start: string) => FILES.some((file) => file.startsWith(start));

/** What people read to find their way. */
export const DOCUMENTS = FILES.filter((file) => file.endsWith('.md'));
export const SETTINGS = ['Caddyfile', '.env.example'];

/** What documents are about: code, tests, and the files of deployments. */
export const SOURCES = FILES.filter(
  (file) =>
    /\.(tsx?|ya?ml|json|css|html|service|timer|target|conf)$|^(Dockerfile|Caddyfile|\.ci\/.*)$/.test(
      file,
    ) && !/package-lock|released-|asvs-|^docs\/|^tests\/docs\//.test(file),
);
