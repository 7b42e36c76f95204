import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { toast } from 'sonner';
import {
  changeAdminLocation,
  changeAdminLocations,
  changeAdminTip,
  dismissLocationReports,
  mergeLocations,
  type AdminLocation,
  type AdminTip,
} from '#shared/locations/admin-contract.ts';
import { bulkActs, type Planned } from '../../platform/admin/list/use-row-actions.ts';
import { toastError } from '../../platform/admin/toast-error.ts';
import { singleFlight } from '../../platform/forms/single-flight.ts';
import { call } from '../../platform/http/api.ts';

type Place = Pick<AdminLocation, 'id' | 'name' | 'version'>;

const ACTS: readonly Planned<AdminLocation, 'hide' | 'show'>[] = [
  {
    action: 'hide',
    undo: 'show',
    name: 'Hide',
    done: 'Hidden',
    effect: (row) => (row.is_active ? 'Shown → Hidden' : null),
  },
  {
    action: 'show',
    undo: 'hide',
    name: 'Show again',
    done: 'Shown again',
    effect: (row) => (row.is_active || row.merged_into !== null ? null : 'Hidden → Shown'),
  },
];

const change = (action: 'hide' | 'show', items: { id: string; version?: number }[]) =>
  call(changeAdminLocations, { body: { items, is_active: action === 'show' } });

/** Returns the admin actions on places and tips. */
export function useModeration() {
  const queries = useQueryClient();
  const refresh = useCallback(
    () => queries.invalidateQueries({ queryKey: ['admin', 'locations'] }),
    [queries],
  );
  const handlers = { onError: toastError, onSettled: refresh };

  const show = useMutation({
    ...handlers,
    mutationFn: ({ place, is_active }: { place: Place; is_active: boolean }) =>
      call(changeAdminLocation, {
        params: { id: place.id },
        body: { is_active, version: place.version },
      }),
    onSuccess: ({ location }, { place, is_active }) => {
      toast(`${place.name} is ${is_active ? 'shown again' : 'hidden'}`, {
        action: {
          label: 'Undo',
          onClick: () => show.mutate({ place: location, is_active: !is_active }),
        },
      });
    },
  });
  const showTip = useMutation({
    ...handlers,
    mutationFn: ({ tip, is_active }: { tip: AdminTip; is_active: boolean }) =>
      call(changeAdminTip, { params: { id: tip.id }, body: { is_active, version: tip.version } }),
    onSuccess: (_, { tip, is_active }) =>
      void toast(`${tip.title} is ${is_active ? 'shown again' : 'hidden'}`),
  });
  const dismiss = useMutation({
    ...handlers,
    mutationFn: ({ id }: Place) => call(dismissLocationReports, { params: { id }, body: {} }),
    onSuccess: (_, { name }) => void toast(`The reports on ${name} were dismissed`),
  });
  const merge = useMutation({
    ...handlers,
    mutationFn: ({ from, into }: { from: Place; into: { id: string; name: string } }) =>
      call(mergeLocations, { params: { id: from.id }, body: { into_id: into.id } }),
    onSuccess: (_, { from, into }) => void toast(`${from.name} was merged into ${into.name}`),
  });

  const bulk = useMemo(() => bulkActs(ACTS, change, refresh), [refresh]);

  // The mutation has already shown the error.
  const quietly = (id: string, act: () => Promise<unknown>) =>
    void singleFlight(id, act).catch(() => undefined);
  return {
    show: (input: Parameters<typeof show.mutate>[0]) =>
      quietly(input.place.id, () => show.mutateAsync(input)),
    showTip: (input: Parameters<typeof showTip.mutate>[0]) =>
      quietly(input.tip.id, () => showTip.mutateAsync(input)),
    dismiss: (place: Place) => quietly(place.id, () => dismiss.mutateAsync(place)),
    merge: merge.mutate,
    bulk,
  };
}
