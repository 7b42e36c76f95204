import { z } from 'zod';
import { readStorage, writeStorage } from '../../platform/web-storage.ts';
import { BAR_COLORS, storePageTheme, type Theme } from './page-theme.ts';

const KEY = 'theme';
export const THEME_NAMES: Record<'system' | Theme, string> = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
};

const theme = z.enum(['light', 'dark']);

/** Returns the theme that was chosen on this device; null for the device's own. */
export const chosenTheme = (): Theme | null => readStorage(theme, KEY);

/** Shows a theme, stores it on this device, and has later pages start with it; null for the device's own. */
export async function chooseTheme(chosen: Theme | null): Promise<void> {
  writeStorage(KEY, chosen);
  showTheme(chosen);
  await storePageTheme(chosen);
}

/** Shows the chosen theme. Pages of the service worker start with it. */
export function showTheme(chosen: Theme | null = chosenTheme()): void {
  const root = document.documentElement;
  if (chosen) root.dataset['theme'] = chosen;
  else delete root.dataset['theme'];
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const own = meta.media.includes('dark') ? 'dark' : 'light';
    meta.content = BAR_COLORS[chosen ?? own];
  }
}
