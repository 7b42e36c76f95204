const RELOADED = 'reloaded';

/** A walk goes on after a reload, but its sounds only after a tap. */
const isWalking = () => Object.keys(localStorage).some((key) => key.endsWith('-walking'));

/**
 * Reloads the page if the server has another version of the app, whose parts have other names: once for each version, and not on a
 * walk. Doesn't settle then.
 */
export async function reloadIfReplaced(): Promise<void> {
  try {
    // The script of this version.
    const own = document.querySelector('script[src]')?.getAttribute('src') ?? '';
    const page = await (await fetch('/', { cache: 'no-store' })).text();
    const isReplaced = page.includes('<script') && !page.includes(own);
    if (!isReplaced || isWalking() || sessionStorage.getItem(RELOADED) === own) return;
    sessionStorage.setItem(RELOADED, own);
  } catch {
    // Without a network or storage, the page stays.
    return;
  }
  location.reload();
  await new Promise(() => {});
}
