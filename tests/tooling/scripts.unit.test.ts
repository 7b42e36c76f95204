import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

const SCRIPTS: Record<string, string> = {
  'access-code': 'scripts/cli/access-code.ts',
  seed: 'scripts/cli/seed.ts',
  walk: 'scripts/cli/simulate-walker.ts',
};

/** Runs a script and returns its output and exit code. */
const run = (name: string, ...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const all = ['--import', 'tsx', SCRIPTS[name]!, ...args];
    const child = execFile(process.execPath, all, { cwd: ROOT }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });

test.each(['access-code', 'seed', 'walk'])(
  '%s prints its usage and explains an unknown option',
  async (name) => {
    const usage = `npm run ${name} -- `;
    const helped = await run(name, '--help');
    expect(helped).toMatchObject({ code: 0, err: '' });
    expect(helped.out).toContain(usage);
    const refused = await run(name, '--nonsense');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("Unknown option '--nonsense'");
    expect(refused.err).toContain(usage);
    expect(refused.err).not.toContain('at parseArgs');
  },
);
