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

export const DISMISSED = 'install_dismissed';

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
