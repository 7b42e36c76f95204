import type { ComponentType, ReactNode } from 'react';
import type { ScreenRoute } from './screen-route.ts';
import type { DocumentsPart } from './sync/documents/documents-part.ts';
import type { UserDocuments } from './sync/documents/user-documents.ts';
import type { CallName } from './sync/outbox/outbox-calls.ts';
import type { Outcome } from './sync/outbox/outbox.ts';
import type { PendingToast } from './sync/tabs/single-tab-toaster.ts';

/** What a feature has that the server does not, apart from document changes and calls. */
export interface UnsentItems {
  kind: 'pictures' | 'sounds' | 'drafts' | 'actions';
  /** Returns how to follow and count those of a user. */
  of(documents: UserDocuments): {
    subscribe(listener: () => void): () => void;
    /** The number of those on their way; null until what this device stored has been read. */
    getUnsentCount?(): number | null;
    /** The same, of those that are only here until the user sends them. */
    getKeptCount?(): number | null;
    /** The number of those that the server refused, and that are only here. */
    getRefusedCount?(): number;
  };
}

/** Something that is only on this device, so that a logout deletes it. */
export interface OnlyHere {
  of(documents: UserDocuments): {
    subscribe(listener: () => void): () => void;
    /** Null until it has been read. */
    count(): number | null;
  };
  /** The title of the question before the logout. */
  title: string;
  /** What will be deleted and why, as a sentence. */
  sentence(count: number): string;
  /** Keeps it on this device beyond the logout, until the same user signs in here again. */
  keep(documents: UserDocuments): Promise<void>;
  /** Returns it for the archive of the user's data; null if there is nothing. */
  file(documents: UserDocuments): Promise<File | null>;
}

/**
 * Decides what a user reads about a call that the server refused after it waited in the outbox.
 * @param failure what is shown by default: the server's message
 * @returns null where the user need not be notified
 */
export type RefusedCall = (
  userId: string,
  outcome: Outcome & { refusal: NonNullable<Outcome['refusal']> },
  failure: PendingToast,
) => PendingToast | null | Promise<PendingToast | null>;

/** What a feature shows on the members’ screens, and what it does while one of them is open. */
interface MemberParts {
  screens?: readonly ScreenRoute[];
  /** What opens on any screen, by the value of `open` in its address. */
  overlays?: Readonly<Record<string, ComponentType>>;
  /** In the header, beside the navigation. */
  buttons?: readonly ComponentType[];
  /** Facts about another person, in their profile: list items. */
  personFacts?: readonly ComponentType<{ userId: string }>[];
  /** Wraps all screens. */
  Provider?: ComponentType<{ children: ReactNode }>;
  /** Above the screen, on each. */
  banners?: readonly ComponentType[];
  /** What has nothing to say before the first drawing. */
  notices?: readonly ComponentType[];
  /** What runs on each screen and shows nothing, outside of all providers. */
  background?: readonly ComponentType[];
}

/** What the rest of the app needs to know of a feature. */
export interface ClientFeature extends MemberParts {
  documents?: DocumentsPart;
  unsent?: readonly UnsentItems[];
  refusedCalls?: Partial<Record<CallName, RefusedCall>>;
  onlyHere?: OnlyHere;
  /** Removes what this device stores, and does not store by user, at the end of a session. */
  forget?(): void | Promise<void>;
}

/** Returns a component that runs a hook and shows nothing. */
export const running = (useEach: () => void): ComponentType =>
  function Running() {
    useEach();
    return null;
  };

let known: readonly ClientFeature[] = [];
let load: () => Promise<unknown> = async () => {};

/** Makes the list of features known to the platform. Called once, by the list itself. */
export function setFeatures(features: readonly ClientFeature[]): void {
  known = features;
}

/** Says how the list is loaded. Called once, by the entry module, which does without features. */
export function loadFeaturesWith(loader: () => Promise<unknown>): void {
  load = loader;
}

/** Returns all features, in the order of their list. Empty before the first of the members’ screens is loaded. */
export const features = (): readonly ClientFeature[] => known;

/** Returns all features, after loading their list. @throws when it can't be loaded */
export async function loadFeatures(): Promise<readonly ClientFeature[]> {
  await load();
  return known;
}
