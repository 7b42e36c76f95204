import { useCallback } from 'react';
import { useLocation, useNavigate, type NavigateOptions } from 'react-router-dom';

/**
 * Returns how to change search parameters. Starts from the current address: React Router passes those of the last render, so
 * the second of two simultaneous changes would undo the first. The hash stays.
 */
export function useSearchChange() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return useCallback(
    (change: (search: URLSearchParams) => void, options?: NavigateOptions) => {
      // Another screen is loading, because the user went back.
      if (window.location.pathname !== pathname) return;
      const search = new URLSearchParams(window.location.search);
      change(search);
      // On a phone, the hash says which part of a screen is shown.
      void navigate({ search: search.toString(), hash: window.location.hash }, options);
    },
    [navigate, pathname],
  );
}
