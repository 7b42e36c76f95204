import type { Repo } from '@automerge/automerge-repo/slim';
import type { Doc, Heads } from '@automerge/automerge/slim';
import type { Journal } from '../journal/journal.ts';
import type { DocumentRemovals } from '../storage/document-removals.ts';
import type { DocumentStorage } from '../storage/document-storage.ts';
import type { CrossTabSync } from '../tabs/cross-tab-sync.ts';
import type { Confirmations } from './unsynced-changes.ts';

/** A user's documents, as long as that user is signed in. */
export interface DocumentsLifetime {
  readonly userId: string;
  /** Calls back when the documents are closed; at once if they are. */
  onClose(run: () => void): void;
}

/** What the documents of a feature are opened with. */
export interface Opening {
  repo: Repo;
  removals: DocumentRemovals;
  confirmations: Confirmations;
  tabs: CrossTabSync;
  journal: Journal;
  /** Null where the browser stores nothing. */
  storage: DocumentStorage | null;
  /** Reads a document from storage; null where it is not stored. `confirmed`: the heads that the server has of it. */
  readStored(documentId: string): Promise<{ doc: Doc<unknown>; confirmed: Heads } | null>;
  onChange(): void;
}

/** Documents of a feature, open on this device. */
export interface OpenPart {
  /** Follows a version of the user's contacts document, which says where the documents are. */
  follow(contacts: unknown): void;
  /** Takes charge of a document that got unsent changes of an earlier session, which is open already. */
  restored?(documentId: string, doc: unknown): void;
  close(): void;
}

/** A feature's documents beside the user's own. The object itself is the key of `UserDocuments.part`. */
export interface DocumentsPart<T extends OpenPart = OpenPart> {
  /** Whether the app shows a screen that has nothing to show before these documents are open. */
  isShown(): boolean;
  /** Loads the code that opens them. */
  load(): Promise<(owner: DocumentsLifetime, opening: Opening) => T>;
}

/** What features open with a user's documents. */
export class OpenParts {
  readonly #find: () => Promise<readonly DocumentsPart[]>;
  readonly #open = new Map<DocumentsPart, OpenPart>();

  constructor(find: () => Promise<readonly DocumentsPart[]>) {
    this.#find = find;
  }

  /** Returns whether a screen waits for documents, and a promise for how to open all parts. */
  async load() {
    const parts = await this.#find();
    const isUrgent = parts.some((part) => part.isShown());
    const opening = Promise.all(parts.map((part) => part.load())).then((openers) => {
      return (...given: Parameters<(typeof openers)[number]>) =>
        parts.forEach((part, place) => this.#open.set(part, openers[place]!(...given)));
    });
    // Handled where it is awaited, which is later.
    opening.catch(() => null);
    return { isUrgent, opening };
  }

  get<T extends OpenPart>(of: DocumentsPart<T>): T | null {
    return (this.#open.get(of) as T | undefined) ?? null;
  }

  follow(contacts: unknown): void {
    for (const part of this.#open.values()) part.follow(contacts);
  }

  readonly restored = (documentId: string, doc: unknown): void => {
    for (const part of this.#open.values()) part.restored?.(documentId, doc);
  };

  close(): void {
    for (const part of this.#open.values()) part.close();
  }
}
