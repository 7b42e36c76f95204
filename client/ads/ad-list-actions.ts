import {
  AD_STATUS_FAILURE,
  changeAdvertisements,
  deleteAdvertisement,
  updateAdvertisement,
  type Advertisement,
} from '#shared/ads/admin-contract.ts';
import type { RowKind } from '../admin/list/use-row-actions.ts';
import { call } from '../http/api.ts';

/** What can be done with house ads from their list. */
export const HOUSE_ADS: RowKind<Advertisement, 'activate' | 'deactivate' | 'delete'> = {
  list: 'advertisements',
  nameOf: ({ title }) => `“${title}”`,
  isOn: ({ active }) => active,
  on: 'active',
  off: 'inactive',
  switchTo: ({ id }, active) =>
    call(updateAdvertisement, { params: { id }, body: { active }, failure: AD_STATUS_FAILURE }),
  remove: ({ id, version }) => call(deleteAdvertisement, { params: { id }, query: { version } }),
  change: (action, items) => call(changeAdvertisements, { body: { action, items } }),
  acts: [
    {
      action: 'activate',
      undo: 'deactivate',
      name: 'Activate',
      done: 'Activated',
      effect: (row) => (row.active ? null : 'Inactive → Active'),
    },
    {
      action: 'deactivate',
      undo: 'activate',
      name: 'Deactivate',
      done: 'Deactivated',
      effect: (row) => (row.active ? 'Active → Inactive' : null),
    },
    { action: 'delete', name: 'Delete', done: 'Deleted', effect: () => 'Deleted for good' },
  ],
};
