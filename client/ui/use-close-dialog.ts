import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';

/**
 * Closes what is open over a screen. Where one came from the screen without it, one goes back there: an address put in place
 * of this one would be a step of the way back that leads to where one is. So it is where a link opened it, and in
 * browsers without the Navigation API.
 * @param parameters of the address that say what is open
 * @returns what closes it, and settles when the address says so
 */
export function useClose(...parameters: string[]): () => Promise<void> {
  const navigate = useNavigate();
  const names = parameters.join(' ');
  return useCallback(async () => {
    const closed = new URL(window.location.href);
    for (const name of names.split(' ')) closed.searchParams.delete(name);
    if (closed.href === window.location.href) return;
    const before = entryBefore(closed);
    if (before) {
      // Asked for twice it is one step all the same.
      const { committed, finished } = window.navigation.traverseTo(before.key);
      await Promise.allSettled([committed, finished]);
    } else await navigate(closed.pathname + closed.search, { replace: true });
  }, [names, navigate]);
}

/** The last entry of the history with an address, as long as those after it are the same screen's. */
function entryBefore({ origin, pathname, search }: URL): NavigationHistoryEntry | undefined {
  const href = origin + pathname + search;
  // Firefox and Safari have it since the end of 2025.
  const navigation = window.navigation as Navigation | undefined;
  const behind = navigation?.entries().slice(0, navigation.currentEntry?.index ?? 0) ?? [];
  // A part of the screen that was scrolled to is the same screen.
  const last = behind.findLast(
    ({ url, sameDocument }) => sameDocument && url?.replace(/#.*/, '') === href,
  );
  const since = last ? behind.slice(last.index) : [];
  return since.every(({ url }) => url && new URL(url).pathname === pathname) ? last : undefined;
}
