import { useCallback } from 'react';
import { useLocation, useSearchParams, type NavigateOptions } from 'react-router-dom';

/**
 * Returns how to change search parameters. Starts from the current address: React Router passes those of the last render, so
 * the second of two simultaneous changes would undo the first.
 */
export function useSearchChange() {
  const [, setSearch] = useSearchParams();
  const { pathname } = useLocation();
  return useCallback(
    (change: (search: URLSearchParams) => void, options?: NavigateOptions) => {
      // Another screen is loading, because the user went back.
      if (window.location.pathname !== pathname) return;
      setSearch(() => {
        const search = new URLSearchParams(window.location.search);
        change(search);
        return search;
      }, options);
    },
    [setSearch, pathname],
  );
}
