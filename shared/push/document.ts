import { z } from 'zod';
import type { AccountSettings } from '../settings/document.ts';
import { readText, text } from '../text.ts';
import { isTimeZone, MINUTES_A_DAY } from './quiet-hours.ts';

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

/** Named changes of an account's push settings. Each is a key of its own, so that edits on two devices merge. */
export const pushChanges = {
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
