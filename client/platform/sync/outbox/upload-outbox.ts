import { NOT_YET } from '#shared/endpoint.ts';
import { newId } from '#shared/ids.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { CallError, isFromServer } from '../../http/api-client.ts';
import { messageOf } from '../../http/error-message.ts';
import { Sender } from '../../http/retry.ts';
import { isAnotherSignedIn } from '../../session/remembered-user.ts';
import { Store as Subject } from '../../store.ts';
import type { UserDocuments } from '../documents/user-documents.ts';
import type { Store } from '../storage/local-database.ts';
import { StoredRows } from '../storage/stored-rows.ts';
import { oneTabAtATime } from '../tabs/tab-coordination.ts';

/** A picture stored on this device until the document shows it. */
export interface StoredPicture {
  bytes: ArrayBuffer;
  type: string;
  /** The same for all attempts, so that the server stores it once. */
  idempotencyKey: string;
  /** The image key in the document before the first attempt; undefined until then. */
  before?: string | null;
  /** The same; undefined until the server has accepted this one. */
  replaces?: string | null;
  /** Why the server rejected it. */
  problem?: string;
}

/** What an upload sends, until it takes too long or the picture is dropped. */
export interface SentFile {
  file: Blob;
  signal: AbortSignal;
}

export interface WaitingPicture {
  /** Object URL for an `img`. */
  url: string;
  /** Only on this device, also on the server, or rejected for good. */
  state: 'waiting' | 'sent' | 'refused';
  problem?: string;
}

/** What the documents say about where a picture belongs: unknown as yet, nowhere any more, or the image key there. */
export type PicturePlace = 'unknown' | 'gone' | { imageKey: string | null; isOnServer: boolean };

const PERMANENT_ERRORS = new Set([400, 413, 415]);
const TOO_MANY = 429;
const LIMITED_SECONDS = 60;
/**
 * Timeouts of the first upload and of later ones, so that a half-open connection doesn't block the pictures of all tabs, which wait for each
 * other, and a slow one gets there. The server waits 2 minutes.
 */
const TIMEOUTS_MS = { first: MINUTE_MS, later: 115_000 };
/** So long a picture stays that belongs nowhere any more: this tab may not know yet where, and a removal may be undone. */
export const REMOVED_AFTER_MS = MINUTE_MS;
/** After this many refusals without a known reason, over at least `FAILING_FOR_MS`, a picture is tried once an hour. */
const FAILURES_MAX = 8;
const FAILING_FOR_MS = 10 * MINUTE_MS;
const FAILING_SECONDS = 3_600;
/** Refusals that say nothing about the picture: nobody is signed in, or the server was too slow. */
const TEMPORARY = new Set([401, 408, 425]);

/** Uploads pictures: stores them on this device, shows them at once, and sends them when the server has where they belong. */
export abstract class UploadOutbox<P extends StoredPicture = StoredPicture> extends Subject {
  protected readonly documents: UserDocuments;
  readonly #store: Store;
  readonly #failure: string;
  #stored = new Map<string, P>();
  #shown: ReadonlyMap<string, WaitingPicture> = new Map();
  readonly #urls = new Map<ArrayBuffer, string>();
  readonly #loaded: Promise<void>;
  readonly #sender: Sender;
  readonly #kept: StoredRows<string>;
  /** Those that the server wants later: a limit of theirs needn't hold for others. */
  readonly #limited = new Set<string>();
  /** Those that were sent, but not shown, before a start or the end of a connection: a server that was restored may lack them. */
  readonly #sentBefore = new Set<string>();
  /** Those that belong nowhere any more. */
  readonly #gone = new Map<string, ReturnType<typeof setTimeout>>();
  /** How often in a row each was tried in vain, and since when; the last one that failed is last. */
  readonly #failures = new Map<string, { times: number; since: number }>();
  /** The upload that is under way. */
  #underway: { id: string; abort: AbortController } | null = null;
  #connection = '';

  /** @param failure logged when an upload fails */
  constructor(documents: UserDocuments, store: Store, failure: string) {
    super();
    this.documents = documents;
    this.#store = store;
    this.#failure = failure;
    this.#kept = new StoredRows(
      documents,
      store,
      (id) => this.#stored.get(id),
      () => this.#stored.keys(),
    );
    this.#sender = new Sender(() => this.#send(), failure);
    this.#loaded = this.#kept.read<P>(this.#take);
    documents.subscribe(() => void this.#onDocuments());
  }

  /** Returns the pictures by the id of what they belong to. */
  readonly getPictures = (): ReadonlyMap<string, WaitingPicture> => this.#shown;

  readonly getUnsentCount = (): number | null =>
    this.#kept.isRead ? this.#countOf('waiting') : null;

  readonly getRefusedCount = (): number => this.#countOf('refused');

  #stateOf(id: string, { problem, replaces }: P): WaitingPicture['state'] {
    if (problem) return 'refused';
    return replaces === undefined || this.#sentBefore.has(id) ? 'waiting' : 'sent';
  }

  #countOf(wanted: WaitingPicture['state']): number {
    return [...this.#shown].filter(([id, { state }]) => state === wanted && !this.#gone.has(id))
      .length;
  }

  /** Finds where a picture belongs. */
  protected abstract placeOf(id: string, picture: P): PicturePlace;

  /** Sends a picture. @returns its image key @throws CallError; DOMException when it takes too long */
  protected abstract upload(id: string, picture: P, sent: SentFile): Promise<string | null>;

  /** Whether the same upload would fail again. */
  protected isPermanent(error: CallError): boolean {
    return PERMANENT_ERRORS.has(error.status) && isFromServer(error);
  }

  /** Does what follows when the server won't have a picture: it stays, with the reason. */
  protected async refuse(id: string, picture: P, error: CallError): Promise<void> {
    await this.#update(id, { ...picture, problem: messageOf(error) });
  }

  /** Adds a picture, replacing one for the same id that is still waiting. */
  protected async keep(
    id: string,
    picture: Blob,
    details: Omit<P, keyof StoredPicture>,
  ): Promise<void> {
    const bytes = await picture.arrayBuffer();
    await this.#loaded;
    const idempotencyKey = newId();
    this.#stop(id);
    this.#stored.set(id, { ...details, bytes, type: picture.type, idempotencyKey } as P);
    this.#show();
    await this.#kept.store(id);
    this.#sender.reset();
    this.#sender.wake();
  }

  /** Settles once an added picture is stored on this device, or needn't be. @returns false where it never is */
  whenStored(id: string): Promise<boolean> {
    return this.#kept.whenStored(id);
  }

  /** Drops a picture that isn't needed anymore, also while it is being sent. */
  async drop(id: string): Promise<void> {
    if (!this.#stored.delete(id)) return;
    this.#stop(id);
    this.#show();
    await this.#kept.store(id);
  }

  /** Forgets what was known of a picture, and ends its upload. */
  #stop(id: string): void {
    if (this.#underway?.id === id) this.#underway.abort.abort();
    this.#sentBefore.delete(id);
    this.#failures.delete(id);
    this.#keepGone(id, false);
  }

  readonly #take = (pictures: ReadonlyMap<string, P>): void => {
    // A new map during the first render would make React start over synchronously.
    if (pictures.size === 0) return this.notify();
    this.#stored = new Map([...pictures, ...this.#stored]);
    this.#doubtSent();
    this.#show();
    void this.#onDocuments();
  };

  /** Whether no other picture took its place, and nobody dropped it. */
  #isStill(id: string, { idempotencyKey }: P): boolean {
    return this.#stored.get(id)?.idempotencyKey === idempotencyKey;
  }

  /** Stores what became of a picture, or removes it. Another one that another tab stored meanwhile stays. */
  async #update(id: string, picture: P, isOver = false): Promise<void> {
    if (!this.#isStill(id, picture)) return;
    if (isOver) this.#stored.delete(id);
    else this.#stored.set(id, picture);
    this.#show();
    let isOurs = true;
    await this.#kept.storeIf(id, (stored) => {
      isOurs = (stored as P | undefined)?.idempotencyKey === picture.idempotencyKey;
      return isOurs;
    });
    if (isOurs) return;
    await this.#readAgain();
    this.#sender.wake();
  }

  async #onDocuments(): Promise<void> {
    const { connection } = this.documents.getSyncState();
    const isNew = connection !== this.#connection;
    this.#connection = connection;
    await this.#forgetArrived();
    if (isNew && connection !== 'connected' && this.#doubtSent()) this.#show();
    // Another tab may have left some.
    if (isNew && connection === 'connected' && this.#kept.isRead) await this.#readAgain();
    if (connection === 'offline') this.#sender.reset();
    this.#sender.wake();
  }

  /** @returns whether there were any */
  #doubtSent(): boolean {
    const before = this.#sentBefore.size;
    for (const [id, { replaces }] of this.#stored)
      if (replaces !== undefined) this.#sentBefore.add(id);
    return this.#sentBefore.size > before;
  }

  /** Drops pictures that the document shows by now, and later those that belong nowhere. */
  async #forgetArrived(): Promise<void> {
    for (const [id, picture] of this.#stored) {
      const place = this.placeOf(id, picture);
      this.#keepGone(id, place === 'gone');
      const { replaces } = picture;
      if (typeof place === 'object' && replaces !== undefined && place.imageKey !== replaces)
        await this.#update(id, picture, true);
    }
  }

  #keepGone(id: string, isGone: boolean): void {
    if (isGone === this.#gone.has(id)) return;
    clearTimeout(this.#gone.get(id));
    if (isGone)
      this.#gone.set(
        id,
        setTimeout(() => void this.#removeGone(id), REMOVED_AFTER_MS),
      );
    else this.#gone.delete(id);
    this.#show();
  }

  async #removeGone(id: string): Promise<void> {
    this.#gone.delete(id);
    const picture = this.#stored.get(id);
    if (!picture || this.documents.isClosed) return;
    const isGone = this.placeOf(id, picture) === 'gone';
    const { isConfirmed, isCompared } = this.documents.getSyncState();
    if (isGone && isConfirmed && isCompared) await this.#update(id, picture, true);
    else this.#keepGone(id, isGone);
  }

  async #send(): Promise<void> {
    if (!this.#next()) return;
    await oneTabAtATime(`${this.#store}-${this.documents.userId}`, async () => {
      await this.#readAgain();
      const failed = new Set<string>();
      let failure: unknown;
      for (let next = this.#next(failed); next; next = this.#next(failed)) {
        const [id] = next;
        await this.#sendOne(...next).catch((error: unknown) => {
          if (error instanceof CallError && isForLater(error))
            return this.#limit(id, error.retryAfter ?? LIMITED_SECONDS, error);
          this.#noteFailure(id, error);
          if (this.#isHopeless(id)) return this.#limit(id, FAILING_SECONDS, error);
          if (!isOfOne(error)) throw error;
          failed.add(id);
          failure ??= error;
        });
      }
      if (failure) throw failure;
    });
  }

  /** Takes over what other tabs did. If it can't be read, this tab goes on with what it knows. */
  async #readAgain(): Promise<void> {
    const rows = await this.#kept.readNow<P>().catch(() => null);
    if (!rows || this.documents.isClosed) return;
    const own = [...this.#stored].filter(([id]) => this.#kept.isWaiting(id));
    const stored = [...rows].filter(([id]) => !this.#kept.isWaiting(id));
    const here = this.#stored;
    this.#stored = new Map([
      ...stored.map(([id, row]): [string, P] => {
        const known = here.get(id);
        // The same bytes keep their URL.
        return [
          id,
          known?.idempotencyKey === row.idempotencyKey ? { ...row, bytes: known.bytes } : row,
        ];
      }),
      ...own,
    ]);
    this.#show();
  }

  /** Leaves out a picture for some time, as the server asks. */
  #limit(id: string, seconds: number, error: unknown): void {
    console.error(this.#failure, error);
    this.#limited.add(id);
    setTimeout(() => {
      this.#limited.delete(id);
      this.#sender.wake();
    }, seconds * 1_000);
  }

  /**
   * Returns the next picture that has a place on the server.
   * @param failed those that failed in this turn
   */
  #next(failed?: ReadonlySet<string>): [id: string, picture: P, replaces: string | null] | null {
    if (this.documents.isClosed || isAnotherSignedIn(this.documents.userId)) return null;
    const { connection, isCompared } = this.documents.getSyncState();
    if (connection !== 'connected') return null;
    const inTurn = [...this.#stored.keys()].filter((id) => !this.#failures.has(id));
    for (const id of [...inTurn, ...this.#failures.keys()]) {
      const picture = this.#stored.get(id);
      if (!picture || failed?.has(id) || this.#limited.has(id)) continue;
      // The document may show it by then.
      if (this.#sentBefore.has(id) && !isCompared) continue;
      const place = this.placeOf(id, picture);
      if (typeof place === 'object' && place.isOnServer && this.#stateOf(id, picture) === 'waiting')
        return [id, picture, place.imageKey];
    }
    return null;
  }

  #noteFailure(id: string, error: unknown): void {
    const { times, since } = this.#failures.get(id) ?? { times: 0, since: 0 };
    this.#failures.delete(id);
    const refused = { times: times + 1, since: times === 0 ? Date.now() : since };
    this.#failures.set(id, isRefusal(error) ? refused : { times, since });
  }

  /** Whether the server refused a picture again and again, without a reason that is known here. */
  #isHopeless(id: string): boolean {
    const { times = 0, since = 0 } = this.#failures.get(id) ?? {};
    return times >= FAILURES_MAX && Date.now() - since >= FAILING_FOR_MS;
  }

  /**
   * @param shown the image key that the document shows
   * @throws if it should be retried
   */
  async #sendOne(id: string, picture: P, shown: string | null): Promise<void> {
    // What it replaces must be known before it arrives: the answer may be lost.
    const { replaces = shown, before = replaces } = picture;
    if (picture.before === undefined) await this.#update(id, { ...picture, before });
    if (!this.#isStill(id, picture)) return;
    let imageKey: string | null;
    try {
      imageKey = await this.#upload(id, picture);
    } catch (error) {
      if (!this.#isStill(id, picture)) return;
      if (!(error instanceof CallError) || !this.isPermanent(error)) throw error;
      console.error(this.#failure, error);
      return this.refuse(id, { ...picture, before }, error);
    }
    if (!this.#isStill(id, picture)) return;
    this.#sentBefore.delete(id);
    this.#failures.delete(id);
    // The document showed it already: an earlier answer was lost.
    const isShown = imageKey !== null && imageKey === shown;
    await this.#update(id, { ...picture, before, replaces: before }, isShown);
    await this.#forgetArrived();
  }

  async #upload(id: string, picture: P): Promise<string | null> {
    const abort = new AbortController();
    this.#underway = { id, abort };
    const tooLong = () => abort.abort(new DOMException('The upload took too long', 'TimeoutError'));
    const timer = setTimeout(tooLong, TIMEOUTS_MS[this.#failures.has(id) ? 'later' : 'first']);
    try {
      const file = new Blob([picture.bytes], { type: picture.type });
      const answered: unknown = await this.upload(id, picture, { file, signal: abort.signal });
      if (typeof answered === 'string' || answered === null) return answered;
      // Not in our server's words, whatever answered.
      throw new CallError(this.#failure, 200, 'unreadable');
    } finally {
      clearTimeout(timer);
      this.#underway = null;
    }
  }

  #show(): void {
    const pictures = [...this.#stored.values()];
    for (const [bytes, url] of this.#urls)
      if (!pictures.some((picture) => picture.bytes === bytes)) {
        URL.revokeObjectURL(url);
        this.#urls.delete(bytes);
      }
    this.#shown = new Map(
      [...this.#stored].map(([id, picture]) => [
        id,
        { url: this.#urlOf(picture), state: this.#stateOf(id, picture), problem: picture.problem },
      ]),
    );
    this.notify();
  }

  #urlOf({ bytes, type }: StoredPicture): string {
    const url = this.#urls.get(bytes) ?? URL.createObjectURL(new Blob([bytes], { type }));
    this.#urls.set(bytes, url);
    return url;
  }
}

/** Whether the server wants one picture later. */
const isForLater = ({ status, code }: CallError): boolean =>
  status === TOO_MANY || code === NOT_YET;

/** Whether one picture was refused. */
const isRefusal = (error: unknown): boolean =>
  error instanceof CallError &&
  error.status >= 400 &&
  error.status <= 500 &&
  !TEMPORARY.has(error.status);

/** Whether one picture only failed, so that others can be tried: not if the server is unreachable, down or busy. */
const isOfOne = (error: unknown): boolean =>
  error instanceof CallError
    ? error.status > 0 && error.status <= 500 && error.retryAfter === null
    : error instanceof DOMException && error.name === 'TimeoutError';
