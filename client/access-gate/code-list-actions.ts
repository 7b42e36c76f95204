import {
  changeCodes,
  CODE_STATUS_FAILURE,
  deleteCode,
  updateCode,
  type AccessCode,
} from '#shared/access-gate/admin-contract.ts';
import type { RowKind } from '../admin/list/use-row-actions.ts';
import { call } from '../http/api.ts';

/** What can be done with codes from their list. */
export const CODES: RowKind<AccessCode, 'enable' | 'disable' | 'delete'> = {
  list: 'access-codes',
  nameOf: ({ code }) => code,
  isOn: ({ is_active }) => is_active,
  on: 'enabled',
  off: 'disabled',
  switchTo: ({ id }, is_active) =>
    call(updateCode, { params: { id }, body: { is_active }, failure: CODE_STATUS_FAILURE }),
  remove: ({ id, version }) => call(deleteCode, { params: { id }, query: { version } }),
  change: (action, items) => call(changeCodes, { body: { action, items } }),
  acts: [
    {
      action: 'enable',
      undo: 'disable',
      name: 'Enable',
      done: 'Enabled',
      effect: (row) => (row.is_active ? null : 'Inactive → Active'),
    },
    {
      action: 'disable',
      undo: 'enable',
      name: 'Disable',
      done: 'Disabled',
      effect: (row) => (row.is_active ? 'Active → Inactive' : null),
    },
    { action: 'delete', name: 'Delete', done: 'Deleted', effect: () => 'Deleted for good' },
  ],
};
