import { useQuery } from '@tanstack/react-query';
import { toast } from 'sonner';
import {
  deleteSaved,
  listSaved,
  save,
  type Saved,
  type SavedKind,
} from '#shared/admin/contract.ts';
import { call } from '../../http/api.ts';
import { queries } from '../../http/query-client.ts';
import { toastError } from '../toast-error.ts';

/** What admins saved of a kind, by name. */
export function useSaved(kind: SavedKind) {
  const queryKey = ['admin', 'saved', kind];
  const { data } = useQuery({ queryKey, queryFn: () => call(listSaved, { query: { kind } }) });
  const refresh = () => queries.invalidateQueries({ queryKey });
  return {
    saved: data?.saved ?? [],
    /** Saves under a name, instead of what has it. @throws CallError */
    async store(name: string, text: string): Promise<void> {
      await call(save, { body: { kind, name, text } });
      await refresh();
      toast(`“${name}” saved`);
    },
    async remove({ id, name }: Saved): Promise<void> {
      try {
        await call(deleteSaved, { params: { id } });
        toast(`“${name}” deleted`);
      } catch (error) {
        toastError(error);
      }
      await refresh();
    },
  };
}
