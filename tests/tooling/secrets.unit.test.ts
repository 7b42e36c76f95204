import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leashwise-secrets-'));
  await copyFile(join(ROOT, '.secretlintrc.json'), join(folder, '.secretlintrc.json'));
  await copyFile(join(ROOT, '.gitignore'), join(folder, '.gitignore'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The exit code and the files with findings of `npm run secrets` in the temporary folder. */
const scan = () =>
  new Promise<{ code: number; files: string[] }>((resolve) => {
    const command = join(ROOT, 'node_modules/.bin/secretlint');
    const args = ['--secretlintignore', '.gitignore', '--format', 'json', '**/*'];
    const child = execFile(command, args, { cwd: folder }, (_error, out) => {
      const results = JSON.parse(out) as { filePath: string; messages: unknown[] }[];
      const found = results.filter(({ messages }) => messages.length > 0);
      resolve({
        code: child.exitCode ?? -1,
        files: found.map(({ filePath }) => filePath.slice(folder.length + 1)).toSorted(),
      });
    });
  });

async function plant(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

// Assembled here, since the scan of this repository reads this file, too.
const secret = (...parts: string[]) => parts.join('');
const PLANTED = {
  '.ci/deploy.sh': secret('export GITHUB_TOKEN=ghp', '_', 'a1B2c3D4'.repeat(4), 'e5F6'),
  '.env.example': secret('SYNC', '_SECRET=', '0f1e2d3c'.repeat(8)),
  'api/mongodb.ts': secret('const uri = "mongodb', '://api:Tr0ub4dor42', '@db.leashwise.com/x";'),
  'api/stripe.ts': secret('const key = "sk', '_live_', 'a1B2c3D4'.repeat(4), '";'),
  'api/webhook.ts': secret('const key = "whsec', '_', 'a1B2c3D4'.repeat(4), '";'),
  'docs/key.pem': secret(
    '-----BEGIN RSA ',
    'PRIVATE KEY-----\n',
    `${'MIIEpAIBAAKCAQEA'.repeat(4)}\n`.repeat(6),
    '-----END RSA ',
    'PRIVATE KEY-----\n',
  ),
};

test('the secret scan finds planted secrets and nothing else', async () => {
  await plant('README.md', 'SYNC_SECRET=at-least-16-characters\nSTRIPE_SECRET_KEY=\n');
  expect(await scan()).toEqual({ code: 0, files: [] });
  for (const [path, text] of Object.entries(PLANTED)) await plant(path, text);
  // Local settings are ignored by git, and so by the scan.
  await plant('.env', PLANTED['.env.example']);
  expect(await scan()).toEqual({ code: 1, files: Object.keys(PLANTED).toSorted() });
});
