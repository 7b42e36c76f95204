import { z } from 'zod';
import { latitude, longitude } from '../place.ts';
import { ALERT_RADIUS } from '../proximity/rules.ts';
import { readText, text, type Text } from '../text.ts';
import { unitChoice } from '../units.ts';
import {
  QUIET_PLACE_NAME_MAX,
  QUIET_PLACES_MAX,
  QUIET_RADIUS,
  VOLUME,
  type QuietPlace,
} from './rules.ts';

const inSteps = (value: number) => Math.round(value / VOLUME.step) / Math.round(1 / VOLUME.step);

const fields = {
  alert_radius_feet: z.number().int().min(ALERT_RADIUS.min).max(ALERT_RADIUS.max),
  volume: z.number().min(VOLUME.min).max(VOLUME.max).transform(inSteps),
  /** Whether alerts beep and bark, speak, and vibrate. */
  sounds: z.boolean(),
  speech: z.boolean(),
  vibration: z.boolean(),
  /** Whether alerts about friends' dogs are silent. */
  silence_friends: z.boolean(),
  /** Whether the owner walks without their name: see `positionReport`. */
  is_nameless: z.boolean(),
  /** Of shown and spoken distances, temperatures and speeds. */
  units: unitChoice,
};
const settings = z.object(fields);
export type Settings = z.output<typeof settings>;

export const USUAL_SETTINGS: Settings = {
  alert_radius_feet: ALERT_RADIUS.usual,
  volume: VOLUME.usual,
  sounds: true,
  speech: true,
  vibration: true,
  silence_friends: false,
  is_nameless: false,
  units: 'automatic',
};

/** A quiet place in its owner's account, under its id. */
export interface QuietPlaceEntry {
  name: Text;
  latitude: number;
  longitude: number;
  radius_feet: number;
}

/** The settings in an account. */
export interface AccountSettings {
  settings: Record<string, Text | number | boolean>;
  quiet_places?: Record<string, QuietPlaceEntry>;
}

const ID = /^[\w-]{1,64}$/;
const place = z.object({
  name: z.string().trim().min(1, 'Required').max(QUIET_PLACE_NAME_MAX),
  latitude,
  longitude,
  radius_feet: z.number().int().min(QUIET_RADIUS.min).max(QUIET_RADIUS.max),
});
const id = z.string().regex(ID);

/** Reads an owner's settings, with defaults for missing and invalid ones. @param doc untrusted */
export function readSettings(doc: unknown): Settings {
  const raw = ((doc ?? {}) as Partial<AccountSettings>).settings ?? {};
  const read = { ...USUAL_SETTINGS };
  for (const key of Object.keys(fields) as (keyof Settings)[]) {
    const parsed = fields[key].safeParse(readText(raw[key], 20) ?? raw[key]);
    if (parsed.success) Object.assign(read, { [key]: parsed.data });
  }
  return read;
}

/** Quiet places by their names; entries that are none are left out. @param doc untrusted */
export function readQuietPlaces(doc: unknown): QuietPlace[] {
  const raw = ((doc ?? {}) as Partial<AccountSettings>).quiet_places ?? {};
  return Object.entries(raw)
    .flatMap(([key, entry]) => {
      const name = readText((entry as Partial<QuietPlaceEntry> | null)?.name, QUIET_PLACE_NAME_MAX);
      const parsed = place.safeParse({ ...entry, name });
      return ID.test(key) && parsed.success ? [{ id: key, ...parsed.data }] : [];
    })
    .toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
}

/** Named changes of an account's settings. Each setting is a key of its own, so that edits on two devices merge. */
export const settingsChanges = {
  'settings.save': {
    input: settings.partial(),
    apply(account: AccountSettings, changed: Partial<Settings>) {
      for (const [key, value] of Object.entries(changed))
        if (
          value !== undefined &&
          (readText(account.settings[key], 20) ?? account.settings[key]) !== value
        )
          account.settings[key] = typeof value === 'string' ? text(value) : value;
    },
  },
  'quiet-place.add': {
    input: place.extend({ id }),
    apply(
      account: AccountSettings,
      { id: key, name, ...entry }: z.output<typeof place> & { id: string },
    ) {
      account.quiet_places ??= {};
      if (account.quiet_places[key]) return;
      if (Object.keys(account.quiet_places).length >= QUIET_PLACES_MAX) return;
      account.quiet_places[key] = { name: text(name), ...entry };
    },
  },
  'quiet-place.edit': {
    input: place.pick({ name: true, radius_feet: true }).partial().extend({ id }),
    apply(account: AccountSettings, edit: { id: string; name?: string; radius_feet?: number }) {
      const entry = account.quiet_places?.[edit.id];
      if (!entry) return;
      if (edit.name !== undefined && readText(entry.name, Infinity) !== edit.name)
        entry.name = text(edit.name);
      if (edit.radius_feet !== undefined && entry.radius_feet !== edit.radius_feet)
        entry.radius_feet = edit.radius_feet;
    },
  },
  'quiet-place.remove': {
    input: z.object({ id }),
    apply(account: AccountSettings, { id: key }: { id: string }) {
      if (account.quiet_places?.[key]) delete account.quiet_places[key];
    },
  },
};
