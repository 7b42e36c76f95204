import type { SyncState } from '../state/document-state.ts';
import type { Store } from '../storage/local-database.ts';

/** What the browser stores and reads here: rows of a store, documents, and drafts. */
type Stored = 'documents' | 'drafts' | Store;

/** Knows what the browser refuses to store or to read for now. */
export class StorageHealth {
  readonly #refusing = new Set<Stored>();
  readonly #unreadable = new Set<Stored>();
  readonly #onChange: (change: Partial<SyncState>) => void;

  constructor(onChange: (change: Partial<SyncState>) => void) {
    this.#onChange = onChange;
  }

  /** Notes that the browser refuses to store something, or does not any more. */
  readonly noteRefusing = (what: Stored, failing: boolean): void => {
    setIn(this.#refusing, what, failing);
    this.#onChange({ storage: this.#refusing.size > 0 ? 'refusing' : 'device' });
  };

  /** Notes that something that is stored can't be read, or can again. */
  readonly noteUnreadable = (what: Stored, failing: boolean): void => {
    setIn(this.#unreadable, what, failing);
    this.#onChange({ isUnreadable: this.#unreadable.size > 0 });
  };
}

function setIn(all: Set<Stored>, what: Stored, isIn: boolean): void {
  if (isIn) all.add(what);
  else all.delete(what);
}
