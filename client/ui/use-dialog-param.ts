import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useClose } from './use-close-dialog.ts';
import { useSearchChange } from '../use-update-search-params.ts';

/**
 * Which dialog is open, as the address says it (`?open=edit&id=7`): back closes it, and a link opens it.
 * @param of the parameter that says what it is about
 */
export function useOpened(of = 'id') {
  const [search] = useSearchParams();
  const change = useSearchChange();
  const open = useCallback(
    (name: string, id?: string) =>
      change((address) => {
        address.set('open', name);
        if (id !== undefined) address.set(of, id);
      }),
    [change, of],
  );
  return { opened: search.get('open'), id: search.get(of), open, close: useClose('open', of) };
}
