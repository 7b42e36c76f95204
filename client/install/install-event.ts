import { platformOf } from './platform.ts';
import { ValueStore } from '../store.ts';

/** What browsers send when the app may be installed; not in TypeScript's library. */
interface InstallEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

/** How the app can be installed: by asking the browser, or, where that sends no event, by hand. */
type Installing = InstallEvent | 'by hand' | null;

/** Asked for once, at the start: later screens have other addresses. */
export const PLATFORM = platformOf(
  location.search,
  navigator.userAgent,
  navigator.maxTouchPoints ?? 0,
);

const DISMISSED = 'install_dismissed';

/** Whether this is the installed app, in a window of its own. */
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

/** How the app can be installed now, if at all and if it is wanted. */
export const installing = new ValueStore<Installing>(
  PLATFORM === 'ios' && isWanted() ? 'by hand' : null,
);

// Browsers send it once, perhaps before any screen is there to hear it.
window.addEventListener('beforeinstallprompt', (sent) => {
  sent.preventDefault();
  if (isWanted()) installing.set(sent as InstallEvent);
});
window.addEventListener('appinstalled', () => installing.set(null));

/** Opens the browser's own question. */
export async function install(): Promise<void> {
  const asked = installing.get();
  installing.set(null);
  if (asked === null || asked === 'by hand') return;
  const answer = await asked.prompt();
  if (answer.outcome === 'dismissed') dismissInstall();
}

/** Never offers it again in this browser. */
export function dismissInstall(): void {
  installing.set(null);
  try {
    localStorage.setItem(DISMISSED, 'true');
  } catch {
    console.warn('Storage is unavailable: installing will be offered again.');
  }
}
