import { z } from 'zod';
import type { AccountSettings } from '../settings/document.ts';
import { readText, text } from '../text.ts';
import { isTimeZone, MINUTES_A_DAY } from './quiet-hours.ts';
import { MUTED_MAX, STORED_MUTED_MAX } from './rules.ts';

/** What a lock screen may show of messages and friend requests: names and texts, names only, or neither. */
const PREVIEWS = ['text', 'name', 'nothing'] as const;

const minuteOfDay = z
  .number()
  .int()
  .min(0)
  .max(MINUTES_A_DAY - 1);

const fields = {
  push_messages: z.boolean(),
  push_friends: z.boolean(),
  push_alerts: z.boolean(),
  push_hazards: z.boolean(),
  push_moderation: z.boolean(),
  push_walk: z.boolean(),
  push_planned_walks: z.boolean(),
  push_preview: z.enum(PREVIEWS),
  push_quiet: z.boolean(),
  /** Minutes since midnight in the time zone. */
  push_quiet_from: minuteOfDay,
  push_quiet_to: minuteOfDay,
  /** An IANA name, such as America/New_York. */
  push_time_zone: z.string().max(64).refine(isTimeZone),
  /** Whether severe alerts and unprotected walks ignore quiet hours. */
  push_urgent_always: z.boolean(),
};
const settings = z.object(fields);

/** An owner's choices about pushes, for all of their devices. */
export type PushSettings = z.output<typeof settings>;

export const USUAL_PUSH_SETTINGS: PushSettings = {
  push_messages: true,
  push_friends: true,
  push_alerts: true,
  push_hazards: true,
  push_moderation: true,
  push_walk: true,
  push_planned_walks: true,
  push_preview: 'name',
  push_quiet: false,
  push_quiet_from: 22 * 60,
  push_quiet_to: 7 * 60,
  push_time_zone: 'UTC',
  push_urgent_always: true,
};

/** An owner's choices, with the people that they muted. */
export type PushChoices = PushSettings & { muted: ReadonlySet<string> };

/** Reads an account's choices; each that is missing or invalid is the usual one. @param doc untrusted */
export function readPushSettings(doc: unknown): PushSettings {
  const raw = ((doc ?? {}) as Partial<AccountSettings>).settings ?? {};
  const read = { ...USUAL_PUSH_SETTINGS };
  for (const key of Object.keys(fields) as (keyof PushSettings)[]) {
    const value = readText(raw[key], 64) ?? raw[key];
    const parsed = fields[key].safeParse(value);
    if (parsed.success) Object.assign(read, { [key]: parsed.data });
  }
  return read;
}

const MUTED = 'muted.';
const mutedFields = z.object({
  user_id: z.string().regex(/^[\w-]{1,64}$/),
  is_muted: z.boolean(),
});

/** Returns the people whose messages cause no push. @param doc an account; untrusted */
export function readMuted(doc: unknown): ReadonlySet<string> {
  const raw = ((doc ?? {}) as Partial<AccountSettings>).settings ?? {};
  return new Set(
    Object.entries(raw).flatMap(([key, value]) =>
      key.startsWith(MUTED) && value === true ? [key.slice(MUTED.length)] : [],
    ),
  );
}

/** An owner's choices as a row has them. */
export type StoredPushChoices = PushSettings & { muted: string[] };

/** @returns null if the account mutes too many people for a row. @param doc an account; untrusted */
export function storedPushChoices(doc: unknown): StoredPushChoices | null {
  const muted = [...readMuted(doc)];
  return muted.length > STORED_MUTED_MAX ? null : { ...readPushSettings(doc), muted };
}

/** Named changes of an account's push settings. Each is a key of its own, so that edits on two devices merge. */
export const pushChanges = {
  /** Mutes a person on all devices, or ends that. */
  'push.mute': {
    input: mutedFields,
    apply(account: AccountSettings, { user_id, is_muted }: z.output<typeof mutedFields>) {
      const muted = readMuted(account);
      if (muted.has(user_id) === is_muted || (is_muted && muted.size >= MUTED_MAX)) return;
      if (is_muted) account.settings[MUTED + user_id] = true;
      else delete account.settings[MUTED + user_id];
    },
  },
  'push.save': {
    input: settings.partial(),
    apply(account: AccountSettings, changed: Partial<PushSettings>) {
      for (const [key, value] of Object.entries(changed)) {
        if (value === undefined) continue;
        const before = account.settings[key];
        if ((readText(before, 64) ?? before) === value) continue;
        account.settings[key] = typeof value === 'string' ? text(value) : value;
      }
    },
  },
};
