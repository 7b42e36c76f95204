import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { toast } from 'sonner';
import {
  changeCharities,
  deleteCharity,
  updateCharity,
  VERIFICATION_FAILURE,
  type AdminCharity,
} from '#shared/charities/admin-contract.ts';
import type { BulkAct } from '../admin/bulk-bar.tsx';
import { sayFailure } from '../admin/say-failure.ts';
import { call } from '../api.ts';

const idOf = (row: AdminCharity) => row.id;
const itemsOf = (rows: readonly AdminCharity[]) => rows.map(({ id, version }) => ({ id, version }));

/** What admins can do with charities. */
export function useCharityActions() {
  const queries = useQueryClient();
  const refresh = useCallback(
    () => queries.invalidateQueries({ queryKey: ['admin', 'charities'] }),
    [queries],
  );

  /** What it is based on is what the admin has seen: another's edit in between is told of, and shown. */
  const verify = async (row: AdminCharity) => {
    try {
      await call(updateCharity, {
        params: { id: row.id },
        body: { is_verified: true, version: row.version },
        failure: VERIFICATION_FAILURE,
      });
      toast(`${row.charity_name} is verified`);
    } catch (error) {
      sayFailure(error);
    } finally {
      await refresh();
    }
  };

  const setActive = async ({ id }: AdminCharity, is_active: boolean) => {
    try {
      await call(updateCharity, { params: { id }, body: { is_active } });
    } finally {
      await refresh();
    }
  };

  const toggle = async (row: AdminCharity) => {
    try {
      await setActive(row, !row.is_active);
      toast(`${row.charity_name} is ${row.is_active ? 'inactive' : 'active'}`, {
        action: {
          label: 'Undo',
          onClick: () => void setActive(row, row.is_active).catch(sayFailure),
        },
      });
    } catch (error) {
      sayFailure(error);
    }
  };

  const remove = async (row: AdminCharity) => {
    try {
      await call(deleteCharity, { params: { id: row.id } });
      toast(`${row.charity_name} is deleted`);
    } catch (error) {
      sayFailure(error);
    } finally {
      await refresh();
    }
  };

  const bulk = useMemo((): BulkAct<AdminCharity>[] => {
    const change =
      (action: 'verify' | 'activate' | 'deactivate' | 'delete') =>
      async (rows: readonly AdminCharity[]) => {
        try {
          return await call(changeCharities, { body: { action, items: itemsOf(rows) } });
        } finally {
          await refresh();
        }
      };
    /** Back to what they were, whatever version they have come to. */
    const undo = (action: 'activate' | 'deactivate') => async (rows: readonly AdminCharity[]) => {
      await call(changeCharities, { body: { action, items: rows.map(({ id }) => ({ id })) } });
      await refresh();
    };
    return [
      {
        name: 'Verify',
        done: 'Verified',
        effect: (row) => (row.is_verified ? null : 'Pending Verification → Verified'),
        run: change('verify'),
        idOf,
      },
      {
        name: 'Activate',
        done: 'Activated',
        effect: (row) => (row.is_active ? null : 'Inactive → Active'),
        run: change('activate'),
        undo: undo('deactivate'),
        idOf,
      },
      {
        name: 'Deactivate',
        done: 'Deactivated',
        effect: (row) => (row.is_active ? 'Active → Inactive' : null),
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

  return { verify, toggle, remove, bulk };
}
