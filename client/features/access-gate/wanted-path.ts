import { z } from 'zod';
import { DAY_MS } from '#shared/time.ts';
import { readStorage, writeStorage } from '../../platform/web-storage.ts';

const NAME = 'wanted_path';
const stored = z.object({ path: z.string(), at: z.number() });

/** Screens that lead to the app, and the one that opens by default. */
const ON_THE_WAY = /^\/(access-code|auth|welcome|onboarding|home$)/;

/** Remembers in this tab which screen a person wanted, before they are led to the gate or to the sign-in. */
export function rememberWanted(path: string): void {
  if (isOurs(path) && !ON_THE_WAY.test(path))
    writeStorage(NAME, { path, at: Date.now() }, 'sessionStorage');
}

/** Returns and forgets the remembered screen; the dashboard without one. */
export function takeWanted(): string {
  const wanted = readWanted();
  writeStorage(NAME, null, 'sessionStorage');
  return wanted;
}

/** Returns the remembered screen; the dashboard without one. */
export function readWanted(): string {
  const wanted = readStorage(stored, NAME, 'sessionStorage');
  const isRecent = wanted !== null && Date.now() - wanted.at < DAY_MS;
  return isRecent && isOurs(wanted.path) ? wanted.path : '/home';
}

/** Whether it is a path of this origin, not another site's address. */
const isOurs = (path: string): boolean =>
  path.startsWith('/') && new URL(path, location.origin).origin === location.origin;
