export type Theme = 'light' | 'dark';

/** The color of the browser's bar, as in index.html. */
export const BAR_COLORS: Record<Theme, string> = { light: '#faf4ea', dark: '#19141a' };

const CACHE = 'theme';
const KEY = '/theme';

/** Stores the theme for the service worker, which can't read local storage; null removes it. */
export async function storePageTheme(theme: Theme | null): Promise<void> {
  if (!('caches' in globalThis)) return;
  if (theme) await (await caches.open(CACHE)).put(KEY, new Response(theme));
  else await caches.delete(CACHE);
}

/**
 * Returns the page with the stored theme, so that it is never drawn in another one first. For the service worker: our
 * Content-Security-Policy forbids inline scripts, and a script of its own would delay the first visit.
 */
export async function withTheme(page: Response): Promise<Response> {
  const theme = await (await caches.match(KEY, { cacheName: CACHE }))?.text();
  if (theme !== 'light' && theme !== 'dark') return page;
  const { status, statusText, headers } = page;
  return new Response(themed(await page.text(), theme), { status, statusText, headers });
}

/** Sets the theme in the page's HTML. */
export const themed = (html: string, theme: Theme): string =>
  html
    .replace('<html ', `<html data-theme="${theme}" `)
    .replaceAll(
      /(<meta name="theme-color"[^>]*content=")[^"]*/g,
      (_, start: string) => `${start}${BAR_COLORS[theme]}`,
    );
