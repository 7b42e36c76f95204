/** Integers at the start of the shared memory, followed by the characters of a document's id. */
const STEP = 0;
const LENGTH = 1;
const IS_BROKEN = 2;
const IDS_FROM_BYTES = 12;
const ID_MAX_BYTES = 64;
/** How long a process whose Automerge is broken waits for the watchdog to record that and to end it. */
const RECORDED_WITHIN_MS = 5_000;

/**
 * The document that this thread works on, in memory that another thread can read while this one is busy: writing it takes less than a
 * microsecond.
 */
export class CurrentDocument {
  readonly shared: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  readonly #characters: Uint8Array;
  #id: string | null = null;

  /** @param shared that of the thread whose document is read */
  constructor(shared = new SharedArrayBuffer(IDS_FROM_BYTES + ID_MAX_BYTES)) {
    this.shared = shared;
    this.#numbers = new Int32Array(shared, 0, IDS_FROM_BYTES / Int32Array.BYTES_PER_ELEMENT);
    this.#characters = new Uint8Array(shared, IDS_FROM_BYTES);
  }

  /** Runs synchronous work on a document. */
  during<T>(documentId: string, work: () => T): T {
    const outer = this.#id;
    this.#set(documentId);
    try {
      return work();
    } finally {
      this.#set(outer);
    }
  }

  /** For the other thread: the document and the number of this piece of work; null between pieces. */
  read(): { documentId: string; step: number } | null {
    const step = Atomics.load(this.#numbers, STEP);
    const length = Atomics.load(this.#numbers, LENGTH);
    const documentId = Buffer.from(this.#characters.slice(0, length)).toString('latin1');
    // It changed meanwhile.
    if (length === 0 || Atomics.load(this.#numbers, STEP) !== step) return null;
    return { documentId, step };
  }

  get isBroken(): boolean {
    return Atomics.load(this.#numbers, IS_BROKEN) === 1;
  }

  /** Ends the process, because its Automerge is broken. Nothing runs in this thread any more. */
  endProcess(): never {
    Atomics.store(this.#numbers, IS_BROKEN, 1);
    Atomics.wait(this.#numbers, IS_BROKEN, 1, RECORDED_WITHIN_MS);
    process.exit(70);
  }

  #set(documentId: string | null): void {
    this.#id = documentId;
    Atomics.store(this.#numbers, LENGTH, 0);
    Atomics.add(this.#numbers, STEP, 1);
    if (documentId === null) return;
    const length = Math.min(documentId.length, ID_MAX_BYTES);
    for (let at = 0; at < length; at++) this.#characters[at] = documentId.charCodeAt(at);
    Atomics.store(this.#numbers, LENGTH, length);
  }
}

/** That of this thread. */
export const currentDocument = new CurrentDocument();
