import { useCallback } from 'react';
import { useSearchParams, type NavigateOptions } from 'react-router-dom';

/**
 * Changes parameters of the address. They are those that the address has now: React Router gives those of the last
 * drawing, and so of two changes at once the second took the first back.
 */
export function useSearchChange() {
  const [, setSearch] = useSearchParams();
  return useCallback(
    (change: (search: URLSearchParams) => void, options?: NavigateOptions) =>
      setSearch(() => {
        const search = new URLSearchParams(window.location.search);
        change(search);
        return search;
      }, options),
    [setSearch],
  );
}
