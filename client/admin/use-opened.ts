import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';

/** Which dialog is open, as the address says it (`?open=edit&id=7`): back closes it, and a link opens it. */
export function useOpened() {
  const [search, setSearch] = useSearchParams();
  const open = useCallback(
    (name: string, id?: string) =>
      setSearch((before) => {
        before.set('open', name);
        if (id !== undefined) before.set('id', id);
        return before;
      }),
    [setSearch],
  );
  const close = useCallback(
    () =>
      setSearch(
        (before) => {
          before.delete('open');
          before.delete('id');
          return before;
        },
        { replace: true },
      ),
    [setSearch],
  );
  return { opened: search.get('open'), id: search.get('id'), open, close };
}
