import { sharingFields, type SharingFields } from '../profile/contract.ts';
import type { AccountDocument } from './document.ts';

/**
 * Returns the location sharing switch. It is in the account document, which only its owner reads: in a card, it would
 * tell friends when someone walks (decision 235). Null if it was never set.
 * @param doc untrusted
 */
export function readSharing(doc: unknown): boolean | null {
  const { is_location_sharing_enabled } = (doc ?? {}) as Partial<AccountDocument>;
  return typeof is_location_sharing_enabled === 'boolean' ? is_location_sharing_enabled : null;
}

/** The named change of the switch. Turning it on again is a change, too: it outlasts turning it off elsewhere at the same moment. */
export const sharingChanges = {
  'sharing.save': {
    input: sharingFields,
    apply(account: AccountDocument, { is_location_sharing_enabled: next }: SharingFields) {
      if (next) account.is_location_sharing_enabled = false;
      if (account.is_location_sharing_enabled !== next) account.is_location_sharing_enabled = next;
    },
  },
};
