import type { z } from 'zod';
import { initialAccount } from './account/document.ts';
import { dogChanges } from './dogs/document.ts';
import { circleChanges, initialCircle } from './friends/document.ts';
import { acceptanceChanges } from './moderation/acceptance.ts';
import { initialCard, profileChanges, readCard } from './profile/document.ts';
import { settingsChanges } from './settings/document.ts';
import { soundChanges } from './sounds/document.ts';

/**
 * Every kind of document: its first value, its named changes, whether its owner's devices may write it,
 * and, where the api answers from it, how its value is read.
 */
export const documentKinds = {
  card: {
    initial: initialCard,
    changes: { ...profileChanges, ...dogChanges },
    ownerWrites: true,
    read: readCard,
  },
  account: {
    initial: initialAccount,
    changes: { ...settingsChanges, ...soundChanges, ...acceptanceChanges },
    ownerWrites: true,
  },
  circle: { initial: initialCircle, changes: circleChanges, ownerWrites: false },
} as const;

export type DocumentKind = keyof typeof documentKinds;
export type ChangesOf<K extends DocumentKind> = (typeof documentKinds)[K]['changes'];
export type ChangeName<K extends DocumentKind> = keyof ChangesOf<K> & string;
export type ChangeInput<K extends DocumentKind, N extends ChangeName<K>> = ChangesOf<K>[N] extends {
  input: infer S extends z.ZodType;
}
  ? z.input<S>
  : never;
