import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import {
  BAR_COLORS,
  storePageTheme,
  themed,
  withTheme,
} from '../../client/features/settings/page-theme.ts';

const html = readFileSync(join(import.meta.dirname, '../../client/index.html'), 'utf8');

afterEach(() => vi.unstubAllGlobals());

/** A device's cache storage. */
function stubCaches(): void {
  const stored = new Map<string, Map<string, Response>>();
  const open = (name: string) => stored.get(name) ?? stored.set(name, new Map()).get(name)!;
  vi.stubGlobal('caches', {
    open: async (name: string) => ({
      put: async (key: string, response: Response) => void open(name).set(key, response),
    }),
    delete: async (name: string) => stored.delete(name),
    match: async (key: string, { cacheName }: { cacheName: string }) =>
      stored.get(cacheName)?.get(key)?.clone(),
  });
}

test('the page’s HTML says the theme and has its color in both bars', () => {
  expect(html).toContain(BAR_COLORS.light);
  expect(html).toContain(BAR_COLORS.dark);
  const dark = themed(html, 'dark');
  expect(dark).toContain('<html data-theme="dark" lang="en">');
  expect(dark.match(/<meta name="theme-color".*>/g)).toHaveLength(2);
  expect(dark).not.toContain(BAR_COLORS.light);
  expect(themed(html, 'light')).not.toContain(BAR_COLORS.dark);
});

test('the service worker sends pages with the chosen theme, and unchanged pages without one', async () => {
  stubCaches();
  const page = () => new Response(html, { headers: { 'content-security-policy': 'none' } });
  const plain = page();
  expect(await withTheme(plain)).toBe(plain);
  await storePageTheme('dark');
  const dark = await withTheme(page());
  expect(dark.headers.get('content-security-policy')).toBe('none');
  expect(await dark.text()).toContain('data-theme="dark"');
  await storePageTheme(null);
  expect(await (await withTheme(page())).text()).toBe(html);
});
