import type { AccountDrafts } from '../chat/drafts.ts';
import type { AccountSettings } from '../settings/document.ts';
import type { AccountSounds } from '../sounds/document.ts';
import { text, type Text } from '../text.ts';

/** One per user: private data on all devices of its owner. */
export interface AccountDocument extends AccountSettings, AccountSounds, AccountDrafts {
  kind: Text;
  user_id: Text;
  /** Not there while it was never set. */
  is_location_sharing_enabled?: boolean;
  /** ISO 8601. */
  guidelines_accepted_at?: Text;
}

/** An account in which nothing was set. */
export function initialAccount(userId: string): AccountDocument {
  return {
    kind: text('account'),
    user_id: text(userId),
    settings: {},
    quiet_places: {},
    sounds: {},
    drafts: {},
  };
}
