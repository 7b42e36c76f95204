import {
  changeCodes,
  CODE_STATUS_FAILURE,
  deleteCode,
  updateCode,
  type AccessCode,
} from '#shared/access-gate/admin-contract.ts';
import { DELETE_ACT, switchActs, type RowKind } from '../../platform/admin/list/use-row-actions.ts';
import { call } from '../../platform/http/api.ts';

type Action = 'enable' | 'disable' | 'delete';

/** The actions on codes in their list. */
export const CODES: RowKind<AccessCode, Action> = {
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
    ...switchActs<AccessCode, Action>('enable', 'disable', ({ is_active }) => is_active),
    DELETE_ACT,
  ],
};
