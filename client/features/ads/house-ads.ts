import {
  AD_STATUS_FAILURE,
  changeAdvertisements,
  deleteAdvertisement,
  updateAdvertisement,
  type Advertisement,
} from '#shared/ads/admin-contract.ts';
import { DELETE_ACT, switchActs, type RowKind } from '../../platform/admin/list/use-row-actions.ts';
import { call } from '../../platform/http/api.ts';

type Action = 'activate' | 'deactivate' | 'delete';

/** The actions on house ads in their list. */
export const HOUSE_ADS: RowKind<Advertisement, Action> = {
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
    ...switchActs<Advertisement, Action>('activate', 'deactivate', ({ active }) => active),
    DELETE_ACT,
  ],
};
