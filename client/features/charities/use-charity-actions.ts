import {
  changeCharities,
  deleteCharity,
  updateCharity,
  VERIFICATION_FAILURE,
  type AdminCharity,
} from '#shared/charities/admin-contract.ts';
import {
  DELETE_ACT,
  switchActs,
  useRowActions,
  type RowKind,
} from '../../platform/admin/list/use-row-actions.ts';
import { singleFlight } from '../../platform/forms/single-flight.ts';
import { call } from '../../platform/http/api.ts';

type Action = 'verify' | 'activate' | 'deactivate' | 'delete';

const CHARITIES: RowKind<AdminCharity, Action> = {
  list: 'charities',
  nameOf: ({ charity_name }) => charity_name,
  isOn: ({ is_active }) => is_active,
  on: 'active',
  off: 'inactive',
  switchTo: ({ id }, is_active) => call(updateCharity, { params: { id }, body: { is_active } }),
  remove: ({ id, version }) => call(deleteCharity, { params: { id }, query: { version } }),
  change: (action, items) => call(changeCharities, { body: { action, items } }),
  acts: [
    {
      action: 'verify',
      name: 'Verify',
      done: 'Verified',
      effect: (row) => (row.is_verified ? null : 'Pending Verification → Verified'),
    },
    ...switchActs<AdminCharity, Action>('activate', 'deactivate', ({ is_active }) => is_active),
    DELETE_ACT,
  ],
};

/** What admins can do with charities. */
export function useCharityActions() {
  const { attempt, toggle, remove, bulk } = useRowActions(CHARITIES);

  /** Sends the version that the admin has seen, so that an edit in between is reported instead of overwritten. */
  const verify = ({ id, charity_name, version }: AdminCharity) =>
    singleFlight(id, () =>
      attempt(
        () =>
          call(updateCharity, {
            params: { id },
            body: { is_verified: true, version },
            failure: VERIFICATION_FAILURE,
          }),
        `${charity_name} is verified`,
      ),
    );

  return { verify, toggle, remove, bulk };
}
