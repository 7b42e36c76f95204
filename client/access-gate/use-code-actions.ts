import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { toast } from 'sonner';
import {
  changeCodes,
  CODE_STATUS_FAILURE,
  deleteCode,
  updateCode,
  type AccessCode,
} from '#shared/access-gate/admin-contract.ts';
import type { BulkAct } from '../admin/bulk-bar.tsx';
import { sayFailure } from '../admin/say-failure.ts';
import { call } from '../api.ts';

const idOf = (row: AccessCode) => row.id;
const itemsOf = (rows: readonly AccessCode[]) => rows.map(({ id, version }) => ({ id, version }));

/** What can be done with codes from their list. */
export function useCodeActions() {
  const queries = useQueryClient();
  const refresh = useCallback(
    () => queries.invalidateQueries({ queryKey: ['admin', 'access-codes'] }),
    [queries],
  );

  const setActive = useCallback(
    async ({ id }: AccessCode, is_active: boolean) => {
      try {
        const body = { is_active };
        await call(updateCode, { params: { id }, body, failure: CODE_STATUS_FAILURE });
      } finally {
        await refresh();
      }
    },
    [refresh],
  );

  const toggle = async (row: AccessCode) => {
    try {
      await setActive(row, !row.is_active);
      toast(`${row.code} is ${row.is_active ? 'disabled' : 'enabled'}`, {
        action: {
          label: 'Undo',
          onClick: () => void setActive(row, row.is_active).catch(sayFailure),
        },
      });
    } catch (error) {
      sayFailure(error);
    }
  };

  const remove = async (row: AccessCode) => {
    try {
      await call(deleteCode, { params: { id: row.id } });
      toast(`${row.code} is deleted`);
    } catch (error) {
      sayFailure(error);
    } finally {
      await refresh();
    }
  };

  const bulk = useMemo((): BulkAct<AccessCode>[] => {
    const change =
      (action: 'enable' | 'disable' | 'delete') => async (rows: readonly AccessCode[]) => {
        try {
          return await call(changeCodes, { body: { action, items: itemsOf(rows) } });
        } finally {
          await refresh();
        }
      };
    /** Back to what they were, whatever version they have come to. */
    const undo = (action: 'enable' | 'disable') => async (rows: readonly AccessCode[]) => {
      await call(changeCodes, { body: { action, items: rows.map(({ id }) => ({ id })) } });
      await refresh();
    };
    return [
      {
        name: 'Enable',
        done: 'Enabled',
        effect: (row) => (row.is_active ? null : 'Inactive → Active'),
        run: change('enable'),
        undo: undo('disable'),
        idOf,
      },
      {
        name: 'Disable',
        done: 'Disabled',
        effect: (row) => (row.is_active ? 'Active → Inactive' : null),
        run: change('disable'),
        undo: undo('enable'),
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
