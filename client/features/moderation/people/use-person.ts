import { useQuery } from '@tanstack/react-query';
import { toast } from 'sonner';
import { changeAdminLocation, changeAdminTip } from '#shared/locations/admin-contract.ts';
import {
  liftWarning,
  type AdminWarning,
  type ContentAct,
} from '#shared/moderation/admin-contract.ts';
import { actOnPerson, getPerson, type Person } from '#shared/moderation/people-contract.ts';
import { toastError } from '../../../platform/admin/toast-error.ts';
import { useAction } from '../../../platform/forms/use-action.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';

type Location = Person['locations'][number];
type Tip = Person['tips'][number];

/** Loads a person for moderators, and returns the actions on them. */
export function usePerson(id: string) {
  const asked = useQuery({
    queryKey: ['admin', 'person', id],
    queryFn: () => call(getPerson, { params: { id } }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const [act, acting] = useAction(async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      toast.success(done);
    } catch (error) {
      toastError(error);
    }
    await queries.invalidateQueries({ queryKey: ['admin'] });
  });

  return {
    asked,
    isActing: acting !== undefined,
    change: (content: ContentAct, done: string) =>
      act(() => call(actOnPerson, { params: { id }, body: { act: content } }), done),
    lift: ({ id: which, version }: AdminWarning) =>
      act(() => call(liftWarning, { params: { id: which }, body: { version } }), 'Revoked'),
    showLocation: ({ id: which, version }: Location, is_active: boolean) =>
      act(
        () => call(changeAdminLocation, { params: { id: which }, body: { is_active, version } }),
        is_active ? 'Visible again' : 'Hidden',
      ),
    showTip: ({ id: which, version }: Tip, is_active: boolean) =>
      act(
        () => call(changeAdminTip, { params: { id: which }, body: { is_active, version } }),
        is_active ? 'Visible again' : 'Hidden',
      ),
  };
}
