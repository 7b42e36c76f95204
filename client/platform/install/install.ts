import { DISMISSED, installing } from './install-event.ts';

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
