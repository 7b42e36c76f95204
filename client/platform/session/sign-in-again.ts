import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { z } from 'zod';
import { RECENT_SIGN_IN_MINUTES } from '#shared/session/rules.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { readStorage, writeStorage } from '../web-storage.ts';

const NAME = 'sign_in_return';

/** The screen that the user left to sign in again, and what they had typed. */
const stored = z.object({
  path: z.string().startsWith('/'),
  user_id: z.string(),
  at: z.number(),
  typed: z.record(z.string(), z.unknown()),
});

/** Current field values by name. */
const typedNow = new Map<string, unknown>();
/** Field values from before the sign-in, until the field is shown. */
let typedBefore: Record<string, unknown> = {};

/** Stores the current screen and field values for this tab before the user leaves to sign in again. */
export function rememberPlace(userId: string, path: string): void {
  const typed = Object.fromEntries(typedNow);
  writeStorage(NAME, { path, user_id: userId, at: Date.now(), typed }, 'sessionStorage');
}

/** Returns and forgets the path where this user left to sign in again; null for another user. */
export function takePlace(userId: string): string | null {
  const place = readStorage(stored, NAME, 'sessionStorage');
  writeStorage(NAME, null, 'sessionStorage');
  const isRecent = place && Date.now() - place.at < RECENT_SIGN_IN_MINUTES * MINUTE_MS;
  if (!isRecent || place.user_id !== userId || place.path.startsWith('//')) return null;
  typedBefore = place.typed;
  return place.path;
}

/** Forgets the stored screen, such as when the session ends. */
export function forgetPlace(): void {
  typedBefore = {};
  writeStorage(NAME, null, 'sessionStorage');
}

/**
 * Form state that survives signing in again.
 * @param name unique among the fields on the screen
 */
export function useTyped<T extends Typed>(name: string, initial: T): TypedState<T> {
  const [value, setValue] = useState<Typed>(() => {
    const before = typedBefore[name];
    const isSameKind =
      typeof before === typeof initial && Array.isArray(before) === Array.isArray(initial);
    return isSameKind ? (before as Typed) : initial;
  });
  useEffect(() => {
    delete typedBefore[name];
    typedNow.set(name, value);
    return () => void typedNow.delete(name);
  }, [name, value]);
  return [value, setValue] as unknown as TypedState<T>;
}

type Typed = string | boolean | readonly string[];
type Widened<T extends Typed> = T extends string
  ? string
  : T extends boolean
    ? boolean
    : readonly string[];
type TypedState<T extends Typed> = [Widened<T>, Dispatch<SetStateAction<Widened<T>>>];
