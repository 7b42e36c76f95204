import { z } from 'zod';
import { readText, text, type Text } from '../text.ts';
import { DRAFT_MAX } from './rules.ts';

/** Unsent texts in the account document, by the friend's id, as former apps wrote them. */
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

/** Named changes of an account, for former apps, and to remove what they wrote. */
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

/** The text that a user has not sent to a friend, as the server stores it. */
export interface Draft {
  /** Empty if there is none. */
  text: string;
  /** What another device had written that had not seen the text; null if nothing, or the user has decided. */
  copy: string | null;
  /** Grows with each change. 0 if there is none. */
  version: number;
}

export const NO_DRAFT: Draft = { text: '', copy: null, version: 0 };

/**
 * Returns a draft after a device has changed it: its text is the latest one. What other devices wrote meanwhile is kept as a copy.
 * @param change.base_version the version that the device had changed
 * @param change.drops_copy whether the user has decided between the text and its copy
 * @returns the same object if nothing changes
 */
export function mergeDraft(
  before: Draft,
  change: { text: string; base_version: number; drops_copy: boolean },
  now = Date.now(),
): Draft {
  const hasSeen = change.base_version === before.version;
  const hasOther = !hasSeen && before.text !== '' && !change.text.startsWith(before.text);
  // What was removed or is the beginning of the other text was not this one.
  const isOutdated = hasOther && before.text.startsWith(change.text);
  const text = isOutdated ? before.text : change.text;
  const kept = change.drops_copy && hasSeen ? null : before.copy;
  const copy = hasOther && !isOutdated ? bothOf(kept, before.text) : kept;
  if (text === before.text && copy === before.copy) return before;
  return { text, copy: copy === text ? null : copy, version: Math.max(now, before.version + 1) };
}

/** Returns the copies of two devices, of which the user has decided about neither; the later one, if both are too long. */
function bothOf(earlier: string | null, later: string): string {
  if (earlier === null || later.includes(earlier)) return later;
  if (earlier.includes(later)) return earlier;
  const both = `${earlier}\n\n${later}`;
  return both.length > DRAFT_MAX ? later : both;
}
