import { storedPushChoices, type StoredPushChoices } from '../push/document.ts';
import { readSharing } from './sharing.ts';

/** What the row of a user's card has from their account document. */
export interface ProjectedAccount {
  /** Missing if it was never set. */
  is_location_sharing_enabled?: boolean;
  push: StoredPushChoices | null;
}

/** The fields of the account from which it is read. */
export const PROJECTED_FIELDS = ['is_location_sharing_enabled', 'settings'] as const;

/** @param doc an account with these fields at least; untrusted */
export function readProjectedAccount(doc: unknown): ProjectedAccount {
  const is_location_sharing_enabled = readSharing(doc);
  const push = storedPushChoices(doc);
  return is_location_sharing_enabled === null ? { push } : { is_location_sharing_enabled, push };
}
