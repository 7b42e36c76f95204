import type { DocumentKind } from '#shared/document-kinds.ts';
import { StoredRows, type RowsHost } from '../storage/stored-rows.ts';

/** Where an intent was carried out on this device. */
export interface Made {
  documentId: string;
  /** The heads of the document right after it: the server has it when it has these. */
  heads: string[];
  /** The change itself; null when the document had it already. */
  change: Uint8Array | null;
}

/** Something that the user did: a named change of a document. */
export interface Intent {
  kind: DocumentKind;
  name: string;
  /** Of the named change, valid. */
  input: unknown;
  /** Of which thread, for segments: their documents are replaced at times. */
  thread?: { id: string; number: number };
  /** Undefined until then, as while the document is not here. */
  made?: Made;
  /** When, in ms by this device's clock. Later ones are larger. */
  order: number;
}

/**
 * What the user did on this device, from before it is carried out until the server has confirmed that it is on its disk. Whatever
 * becomes of the documents meanwhile, it is carried out again from here: named changes are idempotent.
 */
export class Journal {
  readonly #host: RowsHost;
  readonly #rows: StoredRows<string>;
  readonly #onChange: () => void;
  readonly #onReadLate: () => void;
  readonly #isLeft: (documentId: string) => boolean;
  /** In order. */
  readonly #intents = new Map<string, Intent>();
  /** Ids by document in which they were carried out; by null, of the others. */
  readonly #places = new Map<string | null, Set<string>>();
  readonly #removed = new Set<string>();
  /** Ids of intents for which there is no room. The next start tries again. */
  readonly #leftOut = new Set<string>();
  #lastOrder = 0;
  #loading: Promise<void> | null = null;
  /** Ids of intents that are carried out again, because earlier ones were read after them. */
  readonly #again = new Set<string>();

  /**
   * @param onChange called after each new intent, and when all were read
   * @param onReadLate called when some were read after the first try
   * @param isLeft whether another document was put in place of one, by its id
   */
  constructor(
    host: RowsHost,
    onChange = () => {},
    onReadLate = () => {},
    isLeft: (documentId: string) => boolean = () => false,
  ) {
    this.#host = host;
    this.#isLeft = isLeft;
    this.#rows = new StoredRows(
      host,
      'journal',
      (id) => this.#intents.get(id),
      () => this.#intents.keys(),
    );
    this.#onChange = onChange;
    this.#onReadLate = onReadLate;
  }

  /** Reads the intents of earlier starts and other tabs, once. If that fails, it is tried again until this page closes. */
  load(): Promise<void> {
    return (this.#loading ??= this.#load());
  }

  async #load(): Promise<void> {
    let isLate = false;
    await this.#rows.read<Intent>((stored) => {
      this.#take(stored);
      this.#onChange();
      if (isLate) this.#onReadLate();
    });
    isLate = true;
    globalThis.addEventListener?.('visibilitychange', this.#onVisible);
  }

  readonly #onVisible = (): void => {
    if (this.#host.isClosed) globalThis.removeEventListener('visibilitychange', this.#onVisible);
    else if (document.visibilityState === 'visible') void this.readAgain();
  };

  /** Reads what other tabs wrote meanwhile: they may be closed, and nobody else would send it. */
  async readAgain(): Promise<void> {
    if (!this.isRead) return this.load();
    // A failure is reported by the rows.
    const stored = await this.#rows.readNow<Intent>().catch(() => new Map<string, Intent>());
    const isNew = (id: string) => !this.#intents.has(id) && !this.#removed.has(id);
    if (this.#host.isClosed || ![...stored.keys()].some(isNew)) return;
    this.#take(stored);
    this.#onChange();
    this.#onReadLate();
  }

  /** Whether what earlier starts wrote is here. Until then, nobody knows what the server lacks. */
  get isRead(): boolean {
    return this.#rows.isRead;
  }

  /** Whether an intent has to be carried out again. The answer is given once. */
  takeAgain(id: string): boolean {
    return this.#again.delete(id);
  }

  #take(stored: ReadonlyMap<string, Intent>): void {
    let firstUnmade = Infinity;
    const known = [...this.#intents];
    for (const [id, intent] of stored) {
      this.#lastOrder = Math.max(this.#lastOrder, intent.order);
      if (this.#intents.has(id) || this.#removed.has(id)) continue;
      this.#set(id, intent);
      const isMade = intent.made && !this.#isLeft(intent.made.documentId);
      if (!isMade) firstUnmade = Math.min(firstUnmade, intent.order);
    }
    for (const [id, { made: _, ...intent }] of known)
      if (intent.order > firstUnmade) {
        this.#put(id, intent);
        this.#again.add(id);
      }
    const ordered = [...this.#intents].toSorted(([, a], [, b]) => a.order - b.order);
    this.#intents.clear();
    for (const [id, intent] of ordered) this.#intents.set(id, intent);
  }

  /** Writes an intent before it is carried out. @param id replaces the intent of this id */
  write(id: string, intent: Omit<Intent, 'order' | 'made'>): void {
    this.#lastOrder = Math.max(this.#lastOrder + 1, Date.now());
    this.#removed.delete(id);
    // One that is replaced comes last.
    const before = this.#intents.get(id);
    this.#intents.delete(id);
    if (before) this.#unplace(id, before);
    this.#put(id, { ...intent, order: this.#lastOrder });
    this.#onChange();
  }

  /** Notes that an intent was carried out. */
  noteMade(id: string, made: Made): void {
    const intent = this.#intents.get(id);
    this.#leftOut.delete(id);
    if (intent) this.#put(id, { ...intent, made });
  }

  /** Removes an intent that needs no server any more. */
  remove(id: string): void {
    const intent = this.#intents.get(id);
    if (!intent) return;
    this.#intents.delete(id);
    this.#unplace(id, intent);
    this.#removed.add(id);
    this.#rows.changed(id);
  }

  /** Removes the intents that the server has by now. @param isCovered whether it has all changes up to these heads */
  settle(documentId: string, isCovered: (heads: string[]) => boolean): void {
    for (const id of this.#places.get(documentId) ?? []) {
      const made = this.#intents.get(id)?.made;
      if (made && isCovered(made.heads)) this.remove(id);
    }
  }

  /**
   * Forgets the intents that another tab made again elsewhere. Their rows stay if that tab has them in its journal.
   * @param isCovered whether that tab had all changes up to these heads
   */
  leaveToOthers(documentId: string, isCovered: (heads: string[]) => boolean): void {
    for (const id of this.#places.get(documentId) ?? []) {
      const intent = this.#intents.get(id);
      if (!intent?.made || !isCovered(intent.made.heads) || this.#rows.isWaiting(id)) continue;
      this.#intents.delete(id);
      this.#unplace(id, intent);
      const isOurs = (stored: unknown) =>
        (stored as Intent | undefined)?.made?.documentId === documentId;
      void this.#rows.storeIf(id, isOurs);
    }
  }

  /** Notes that there is no room for an intent. */
  leaveOut(id: string): void {
    this.#leftOut.add(id);
  }

  /**
   * Counts the intents that are in no document: those that wait for one, and those for which there is no room.
   * @param counts whether a document is open, so that what is in it is counted there
   */
  loose(counts: (documentId: string) => boolean): { waiting: number; leftOut: number } {
    const isLoose = (documentId: string | null) => documentId === null || !counts(documentId);
    let all = 0;
    let leftOut = 0;
    for (const [documentId, ids] of this.#places) {
      if (!isLoose(documentId)) continue;
      all += ids.size;
      for (const id of this.#leftOut) if (ids.has(id)) leftOut++;
    }
    return { waiting: all - leftOut, leftOut };
  }

  get(id: string): Intent | undefined {
    return this.#intents.get(id);
  }

  /** Returns the intents with their ids, in order. */
  all(): [id: string, intent: Intent][] {
    return [...this.#intents];
  }

  /** Counts the intents that wait for a confirmation of this document. */
  countIn(documentId: string): number {
    return this.#places.get(documentId)?.size ?? 0;
  }

  /** Settles when all is stored, or could not be. @returns whether all is */
  flush(): Promise<boolean> {
    return this.#rows.flush();
  }

  #put(id: string, intent: Intent): void {
    this.#set(id, intent);
    this.#rows.changed(id);
  }

  #set(id: string, intent: Intent): void {
    const before = this.#intents.get(id);
    if (before) this.#unplace(id, before);
    this.#intents.set(id, intent);
    const place = intent.made?.documentId ?? null;
    const ids = this.#places.get(place);
    if (ids) ids.add(id);
    else this.#places.set(place, new Set([id]));
  }

  #unplace(id: string, { made }: Intent): void {
    const place = made?.documentId ?? null;
    const ids = this.#places.get(place);
    ids?.delete(id);
    if (ids?.size === 0) this.#places.delete(place);
  }
}
