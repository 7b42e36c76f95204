import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { toast } from 'sonner';
import {
  AD_STATUS_FAILURE,
  changeAdvertisements,
  deleteAdvertisement,
  updateAdvertisement,
  type Advertisement,
} from '#shared/ads/admin-contract.ts';
import type { BulkAct } from '../admin/bulk-bar.tsx';
import { sayFailure } from '../admin/say-failure.ts';
import { call } from '../api.ts';

const idOf = (row: Advertisement) => row.id;

/** What can be done with house ads from their list. */
export function useAdActions() {
  const queries = useQueryClient();
  const refresh = useCallback(
    () => queries.invalidateQueries({ queryKey: ['admin', 'advertisements'] }),
    [queries],
  );

  const setActive = useCallback(
    async ({ id }: Advertisement, active: boolean) => {
      try {
        const body = { active };
        await call(updateAdvertisement, { params: { id }, body, failure: AD_STATUS_FAILURE });
      } finally {
        await refresh();
      }
    },
    [refresh],
  );

  const toggle = async (row: Advertisement) => {
    try {
      await setActive(row, !row.active);
      toast(`“${row.title}” is ${row.active ? 'inactive' : 'active'}`, {
        action: {
          label: 'Undo',
          onClick: () => void setActive(row, row.active).catch(sayFailure),
        },
      });
    } catch (error) {
      sayFailure(error);
    }
  };

  const remove = async (row: Advertisement) => {
    try {
      await call(deleteAdvertisement, { params: { id: row.id } });
      toast(`“${row.title}” is deleted`);
    } catch (error) {
      sayFailure(error);
    } finally {
      await refresh();
    }
  };

  const bulk = useMemo((): BulkAct<Advertisement>[] => {
    type Action = 'activate' | 'deactivate' | 'delete';
    const change = (action: Action) => async (rows: readonly Advertisement[]) => {
      try {
        const items = rows.map(({ id, version }) => ({ id, version }));
        return await call(changeAdvertisements, { body: { action, items } });
      } finally {
        await refresh();
      }
    };
    /** Back to what they were, whatever version they have come to. */
    const undo = (action: Action) => async (rows: readonly Advertisement[]) => {
      const items = rows.map(({ id }) => ({ id }));
      await call(changeAdvertisements, { body: { action, items } });
      await refresh();
    };
    return [
      {
        name: 'Activate',
        done: 'Activated',
        effect: (row) => (row.active ? null : 'Inactive → Active'),
        run: change('activate'),
        undo: undo('deactivate'),
        idOf,
      },
      {
        name: 'Deactivate',
        done: 'Deactivated',
        effect: (row) => (row.active ? 'Active → Inactive' : null),
        run: change('deactivate'),
        undo: undo('activate'),
        idOf,
      },
      {
        name: 'Delete',
        done: 'Deleted',
        effect: () => 'Deleted for good',
        run: change('delete'),
        idOf,
      },
    ];
  }, [refresh]);

  return { toggle, remove, bulk, refresh };
}
