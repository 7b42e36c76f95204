/** What browsers send when the app may be installed; not in TypeScript's library. */
interface InstallEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

const DISMISSED = 'install_dismissed';

let event: InstallEvent | null = null;
const listeners = new Set<() => void>();

function set(next: InstallEvent | null): void {
  event = next;
  for (const listener of listeners) listener();
}

// Browsers send it once, perhaps before any screen is there to hear it.
window.addEventListener('beforeinstallprompt', (sent) => {
  sent.preventDefault();
  if (!isStandalone() && !isDismissed()) set(sent as InstallEvent);
});
window.addEventListener('appinstalled', () => set(null));

const isStandalone = () =>
  matchMedia('(display-mode: standalone)').matches ||
  ('standalone' in navigator && navigator.standalone === true);

function isDismissed(): boolean {
  try {
    return localStorage.getItem(DISMISSED) === 'true';
  } catch {
    return false;
  }
}

/** The install event, while it can be used. */
export const installEvent = (): InstallEvent | null => event;

/** @returns how to stop listening */
export function onInstallEvent(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the browser's own question. */
export async function install(): Promise<void> {
  const asked = event;
  set(null);
  const answer = await asked?.prompt();
  if (answer?.outcome === 'dismissed') dismissInstall();
}

/** Never offers it again in this browser. */
export function dismissInstall(): void {
  set(null);
  try {
    localStorage.setItem(DISMISSED, 'true');
  } catch {
    console.warn('This browser keeps nothing: it will be offered again.');
  }
}
