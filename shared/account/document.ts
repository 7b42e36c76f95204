import type { DraftEntry } from '../chat/drafts.ts';
import type { SoundType } from '../dogs/contract.ts';
import type { QuietPlaceEntry } from '../settings/document.ts';
import type { SoundEntry } from '../sounds/document.ts';
import { text, type Text } from '../text.ts';

/** One a user: what follows an owner from device to device and is nobody else's to see. */
export interface AccountDocument {
  kind: Text;
  user_id: Text;
  settings: Record<string, Text | number | boolean>;
  /** Not there while it was never set. */
  is_location_sharing_enabled?: boolean;
  quiet_places?: Record<string, QuietPlaceEntry>;
  sounds?: Partial<Record<SoundType, SoundEntry>>;
  /** ISO 8601. */
  guidelines_accepted_at?: Text;
  /** By friend. */
  drafts?: Record<string, DraftEntry>;
}

/** An account in which nothing was set. */
export function initialAccount(userId: string): AccountDocument {
  return {
    kind: text('account'),
    user_id: text(userId),
    settings: {},
    quiet_places: {},
    sounds: {},
  };
}
