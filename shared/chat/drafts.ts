import { z } from 'zod';
import { readText, text, type Text } from '../text.ts';
import { MESSAGE_MAX } from './contract.ts';

/** A draft may be longer than a message, for its author to shorten. */
export const DRAFT_MAX = 4 * MESSAGE_MAX;

/** Unsent texts in the account document, by the friend's id. */
export interface DraftEntry {
  text: Text;
  /** ISO 8601. */
  at: Text;
}

/** The drafts in an account. */
export interface AccountDrafts {
  /** By friend. */
  drafts?: Record<string, DraftEntry>;
}

const userId = z.string().min(1).max(64);

/** Returns the drafts by friend, without invalid ones. @param doc untrusted */
export function readDrafts(doc: unknown): Record<string, string> {
  const { drafts } = (doc ?? {}) as Partial<AccountDrafts>;
  return Object.fromEntries(
    Object.entries(drafts ?? {}).flatMap(([friend, entry]) => {
      const words = readText((entry as Partial<DraftEntry> | null)?.text, DRAFT_MAX);
      return words ? [[friend, words]] : [];
    }),
  );
}

/** Named changes of an account: drafts follow their owner from device to device. */
export const draftChanges = {
  /** An empty text removes it. */
  'draft.set': {
    input: z.object({
      friend_user_id: userId,
      text: z.string().max(DRAFT_MAX),
      at: z.iso.datetime(),
    }),
    apply(account: AccountDrafts, draft: { friend_user_id: string; text: string; at: string }) {
      account.drafts ??= {};
      const before = account.drafts[draft.friend_user_id];
      if (draft.text === '') {
        if (before) delete account.drafts[draft.friend_user_id];
      } else if (readText(before?.text, Infinity) !== draft.text)
        account.drafts[draft.friend_user_id] = { text: text(draft.text), at: text(draft.at) };
    },
  },
};
