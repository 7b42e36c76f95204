import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

const importing = (path: string) =>
  `import { b } from '${path}';\nexport const a = (): unknown => b;\n`;

/** Each lint rule with a file that violates it. */
const violations: [rule: string, file: string, text: string][] = [
  ['import(no-cycle)', 'shared/one.ts', importing('./other.ts')],
  [
    'import(no-cycle)',
    'shared/other.ts',
    "import { a } from './one.ts';\nexport const b = (): unknown => a;\n",
  ],
  ['oxc(no-barrel-file)', 'api/barrel.ts', "export * from './right.ts';\n"],
  ['eslint(no-restricted-imports)', 'client/api.ts', importing('../api/b.ts')],
  ['eslint(no-restricted-imports)', 'client/sync.ts', importing('../sync-server/b.ts')],
  ['eslint(no-restricted-imports)', 'client/node.ts', importing('node:fs')],
  [
    'eslint(no-restricted-imports)',
    'client/features/dogs/api.ts',
    importing('../../../api/dogs/b.ts'),
  ],
  ['eslint(no-restricted-imports)', 'api/client.ts', importing('../client/b.ts')],
  ['eslint(no-restricted-imports)', 'api/sync.ts', importing('../sync-server/b.ts')],
  ['eslint(no-restricted-imports)', 'api/automerge.ts', importing('@automerge/automerge')],
  ['eslint(no-restricted-imports)', 'sync-server/client.ts', importing('../client/b.ts')],
  ['eslint(no-restricted-imports)', 'sync-server/api.ts', importing('../api/b.ts')],
  ['eslint(no-restricted-imports)', 'gateway/api.ts', importing('../api/b.ts')],
  ['eslint(no-restricted-imports)', 'gateway/rows.ts', importing('mongodb')],
  ['eslint(no-restricted-imports)', 'shared/api.ts', importing('../api/b.ts')],
  ['eslint(no-restricted-imports)', 'shared/dogs/client.ts', importing('../../client/b.ts')],
  ['eslint(no-restricted-imports)', 'shared/sync.ts', importing('../sync-server/b.ts')],
  [
    'typescript(no-floating-promises)',
    'api/floating.ts',
    'const work = async (): Promise<void> => {};\nexport function run(): void {\n  work();\n}\n',
  ],
  [
    'typescript(no-explicit-any)',
    'api/any.ts',
    'export const a = (value: any): unknown => value;\n',
  ],
  [
    'react(hooks)',
    'client/hooks.tsx',
    "import { useState } from 'react';\nexport function A({ on }: { on: boolean }) {\n  if (on) useState(0);\n  return <p>{on}</p>;\n}\n",
  ],
  [
    'react-hooks(exhaustive-deps)',
    'client/deps.tsx',
    "import { useEffect } from 'react';\nexport function A({ on }: { on: string }) {\n  useEffect(() => console.log(on), []);\n  return <p>{on}</p>;\n}\n",
  ],
  [
    'eslint(max-params)',
    'shared/parameters.ts',
    'export const a = (b: 1, c: 2, d: 3, e: 4, f: 5): unknown => [b, c, d, e, f];\n',
  ],
  [
    'eslint(max-lines-per-function)',
    'shared/long.ts',
    `export function a(): void {\n${'  console.log();\n'.repeat(149)}}\n`,
  ],
  ['jsx-a11y(alt-text)', 'client/alt.tsx', 'export const A = () => <img src="/a.png" />;\n'],
  ['unicorn(filename-case)', 'client/someThing.ts', 'export const a = 1;\n'],
  ['eslint(max-lines)', 'api/long.ts', `export const a = [\n${'  1,\n'.repeat(450)}];\n`],
  [
    'vitest(no-focused-tests)',
    'tests/focused.unit.test.ts',
    "import { expect, test } from 'vitest';\ntest.only('a', () => expect(1).toBe(1));\n",
  ],
];
const inOrder: Record<string, string> = {
  'shared/right.ts': 'export const a = 1;\n',
  'api/right.ts': "import { a } from '#shared/right.ts';\nexport const twice = a * 2;\n",
  'client/right.ts': "import { a } from '#shared/right.ts';\nexport const twice = a * 2;\n",
  'sync-server/right.ts': "import { a } from '#shared/right.ts';\nexport const twice = a * 2;\n",
};

const found: { rule: string; file: string }[] = [];
let exitCode: number;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'leashwise-lint-'));
  for (const name of ['.oxlintrc.json', 'package.json'])
    await cp(join(ROOT, name), join(folder, name));
  // There are no packages here to take types from.
  const tsconfig = { extends: join(ROOT, 'tsconfig.json'), compilerOptions: { types: [] } };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  const files = violations.map(([, file, text]) => [file, text] as const);
  for (const [name, text] of [...files, ...Object.entries(inOrder)]) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const stdout = await new Promise<string>((done) => {
    const oxlint = join(ROOT, 'node_modules/.bin/oxlint');
    execFile(oxlint, ['--format', 'json'], { cwd: folder }, (error, text) => {
      exitCode = Number(error?.code ?? 0);
      done(text);
    });
  });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; filename: string }[];
  };
  for (const { code, filename } of diagnostics) found.push({ rule: code, file: filename });
  return () => rm(folder, { recursive: true });
}, 120_000);

test.each(violations)('oxlint reports %s in %s', (rule, file) => {
  expect(found.filter((one) => one.file.endsWith(file)).map((one) => one.rule)).toContain(rule);
});

test('oxlint accepts correct files, and violations fail the run', () => {
  const names = Object.keys(inOrder);
  expect(found.filter(({ file }) => names.some((name) => file.endsWith(name)))).toEqual([]);
  expect(exitCode).toBe(1);
});
