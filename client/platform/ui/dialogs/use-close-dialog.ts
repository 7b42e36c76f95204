import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';

/**
 * Returns how to close a dialog that is open in the address. Goes back in the history if the dialog was opened from the same
 * screen, because replacing the address would leave a duplicate entry. Replaces the address if a link opened the dialog, and in
 * browsers without the Navigation API. The returned function settles when the address has changed.
 * @param parameters of the address that open the dialog
 */
export function useCloseDialog(...parameters: string[]): () => Promise<void> {
  const navigate = useNavigate();
  const names = parameters.join(' ');
  return useCallback(async () => {
    const closed = new URL(window.location.href);
    for (const name of names.split(' ')) closed.searchParams.delete(name);
    if (closed.href === window.location.href) return;
    const before = entryBefore(closed);
    if (before) {
      // Closing twice still goes back only one step.
      const { committed, finished } = window.navigation.traverseTo(before.key);
      await Promise.allSettled([committed, finished]);
    } else await navigate(closed.pathname + closed.search + closed.hash, { replace: true });
  }, [names, navigate]);
}

/** Returns the last history entry with an address, if all later entries belong to the same screen. */
function entryBefore({ origin, pathname, search }: URL): NavigationHistoryEntry | undefined {
  const href = origin + pathname + search;
  // Firefox and Safari have supported it since the end of 2025.
  const navigation = window.navigation as Navigation | undefined;
  const behind = navigation?.entries().slice(0, navigation.currentEntry?.index ?? 0) ?? [];
  // Ignores the hash, which only scrolls within the screen.
  const last = behind.findLast(
    ({ url, sameDocument }) => sameDocument && url?.replace(/#.*/, '') === href,
  );
  const since = last ? behind.slice(last.index) : [];
  return since.every(({ url }) => url && new URL(url).pathname === pathname) ? last : undefined;
}
