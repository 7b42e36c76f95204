import type { z } from 'zod';
import { initialAccount } from './account/document.ts';
import { sharingChanges } from './account/sharing.ts';
import { initialSegment, segmentChanges } from './chat/document.ts';
import { draftChanges } from './chat/drafts.ts';
import { threadChanges } from './chat/threads.ts';
import { dogChanges } from './dogs/document.ts';
import { contactsChanges, initialContacts } from './friends/document.ts';
import { firstFriendCard, friendCardChanges } from './friends/friend-card.ts';
import { invitationChanges } from './invitations/document.ts';
import { acceptanceChanges } from './moderation/acceptance.ts';
import { initialCard, profileChanges, readCard } from './profile/document.ts';
import { pushChanges } from './push/document.ts';
import { settingsChanges } from './settings/document.ts';
import { soundChanges } from './sounds/document.ts';

/**
 * Every kind of document: its first value, its named changes, whether its owner's devices may write it, whether others read what
 * these write, and, where the api answers from it, how its value is read.
 */
export const documentKinds = {
  card: {
    initial: initialCard,
    changes: { ...profileChanges, ...dogChanges },
    ownerWrites: true,
    othersRead: false,
    read: readCard,
  },
  account: {
    initial: initialAccount,
    changes: {
      ...settingsChanges,
      ...pushChanges,
      ...sharingChanges,
      ...soundChanges,
      ...acceptanceChanges,
      ...draftChanges,
    },
    ownerWrites: true,
    othersRead: false,
  },
  contacts: {
    initial: initialContacts,
    changes: { ...contactsChanges, ...threadChanges, ...invitationChanges },
    ownerWrites: false,
    othersRead: false,
  },
  friend_card: {
    initial: firstFriendCard,
    changes: friendCardChanges,
    ownerWrites: false,
    othersRead: false,
  },
  segment: {
    initial: initialSegment,
    changes: segmentChanges,
    ownerWrites: true,
    othersRead: true,
  },
} as const;

export type DocumentKind = keyof typeof documentKinds;

/** The kinds of which every user has one from the start. */
export const OWN_KINDS = ['card', 'account', 'contacts'] as const satisfies DocumentKind[];
export type OwnKind = (typeof OWN_KINDS)[number];

export type ChangesOf<K extends DocumentKind> = (typeof documentKinds)[K]['changes'];
export type ChangeName<K extends DocumentKind> = keyof ChangesOf<K> & string;
export type ChangeInput<K extends DocumentKind, N extends ChangeName<K>> = ChangesOf<K>[N] extends {
  input: infer S extends z.ZodType;
}
  ? z.input<S>
  : never;
