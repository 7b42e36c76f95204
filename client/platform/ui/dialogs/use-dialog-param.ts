import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useSearchChange } from '../../use-search-change.ts';
import { useCloseDialog } from './use-close-dialog.ts';

/**
 * Returns the open dialog, kept in the address (`?open=edit&id=7`) so that links open it and the back button closes it.
 * @param of the parameter with the ID of its subject
 */
export function useDialogParam(of = 'id') {
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
  return {
    opened: search.get('open'),
    id: search.get(of),
    open,
    close: useCloseDialog('open', of),
  };
}
