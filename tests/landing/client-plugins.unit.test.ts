import type { Plugin } from 'vite';
import { expect, test, vi } from 'vitest';

/** The plugin before a build. */
async function fresh(): Promise<Plugin> {
  vi.resetModules();
  return (await import('../../scripts/build/client-plugins.ts')).withoutEval;
}

/** Runs the hooks that a build of this module would. */
function built({ transform, buildEnd }: Plugin, code: string): string {
  const { handler } = transform as { handler(code: string, id: string): string };
  const after = handler(code, '/node_modules/cbor-x/decode.js');
  (buildEnd as () => void)();
  return after;
}

test('a package is changed as intended', async () => {
  const code = "try { new Function('') } catch {}";
  expect(built(await fresh(), code)).toBe('try { throw null } catch {}');
});

test('the build fails when a package has other code than expected, or is not used', async () => {
  const plugin = await fresh();
  expect(() => built(plugin, 'eval("")')).toThrow('without-eval: edit 1 changes nothing');
  expect(plugin.buildEnd).toThrow('without-eval: edit 1 changes nothing');
});
