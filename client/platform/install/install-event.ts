import { ValueStore } from '../store.ts';
import { platformOf } from './platform.ts';

/** The event that browsers fire when the app can be installed; missing in TypeScript's library. */
interface InstallEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

/** How the app can be installed: by a browser prompt, or manually in browsers without the event. */
type Installing = InstallEvent | 'by hand' | null;

/** Read once at the start, because later screens have other addresses. */
export const PLATFORM = platformOf(
  location.search,
  navigator.userAgent,
  navigator.maxTouchPoints ?? 0,
);

const DISMISSED = 'install_dismissed';

/** Whether this is the installed app in its own window. */
export const isInstalled = (): boolean =>
  matchMedia('(display-mode: standalone)').matches ||
  ('standalone' in navigator && navigator.standalone === true);

function isDismissed(): boolean {
  try {
    return localStorage.getItem(DISMISSED) === 'true';
  } catch {
    return false;
  }
}

const isWanted = () => !isInstalled() && !isDismissed();

/** Returns how the app can be installed now, if at all and if the user hasn't declined. */
export const installing = new ValueStore<Installing>(
  PLATFORM === 'ios' && isWanted() ? 'by hand' : null,
);

// Browsers fire it once, possibly before any component is mounted.
window.addEventListener('beforeinstallprompt', (sent) => {
  sent.preventDefault();
  if (isWanted()) installing.set(sent as InstallEvent);
});
window.addEventListener('appinstalled', () => installing.set(null));

/** Opens the browser's install prompt. */
export async function install(): Promise<void> {
  const asked = installing.get();
  installing.set(null);
  if (asked === null || asked === 'by hand') return;
  const answer = await asked.prompt();
  if (answer.outcome === 'dismissed') dismissInstall();
}

/** Stops offering it in this browser. */
export function dismissInstall(): void {
  installing.set(null);
  try {
    localStorage.setItem(DISMISSED, 'true');
  } catch {
    console.warn('Storage is unavailable: installing will be offered again.');
  }
}
