import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useSearchChange } from '../use-search-change.ts';

/** Which dialog is open, as the address says it (`?open=edit&id=7`): back closes it, and a link opens it. */
export function useOpened() {
  const [search] = useSearchParams();
  const change = useSearchChange();
  const open = useCallback(
    (name: string, id?: string) =>
      change((address) => {
        address.set('open', name);
        if (id !== undefined) address.set('id', id);
      }),
    [change],
  );
  const close = useCallback(
    () =>
      change(
        (address) => {
          address.delete('open');
          address.delete('id');
        },
        { replace: true },
      ),
    [change],
  );
  return { opened: search.get('open'), id: search.get('id'), open, close };
}
