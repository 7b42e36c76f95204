import { NOT_YET } from '#shared/endpoint.ts';
import { newId } from '#shared/ids.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { CallError } from '../../http/api-client.ts';
import { messageOf } from '../../http/error-message.ts';
import { Sender } from '../../http/retry.ts';
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
  /** The image key in the document before; undefined until the server has accepted this one. */
  replaces?: string | null;
  /** Why the server rejected it. */
  problem?: string;
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
/** Upload timeout, so that a half-open connection doesn't block the pictures of all tabs: each waits for the others. */
export const UPLOAD_TIMEOUT_MS = MINUTE_MS;

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
    return [...this.#shown.values()].filter(({ state }) => state === wanted).length;
  }

  /** Finds where a picture belongs. */
  protected abstract placeOf(id: string, picture: P): PicturePlace;

  /** Sends a picture. @returns its image key @throws CallError; DOMException when it takes too long */
  protected abstract upload(id: string, picture: P, file: Blob): Promise<string | null>;

  /** Whether the same upload would fail again. */
  protected isPermanent(error: CallError): boolean {
    return PERMANENT_ERRORS.has(error.status);
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
    await this.#save(id, { ...details, bytes, type: picture.type, idempotencyKey } as P);
    this.#sender.reset();
    this.#sender.wake();
  }

  /** Settles once an added picture is stored on this device, or needn't be. @returns false where it never is */
  whenStored(id: string): Promise<boolean> {
    return this.#kept.whenStored(id);
  }

  /** Drops a picture that isn't needed anymore. */
  async drop(id: string): Promise<void> {
    if (!this.#stored.delete(id)) return;
    this.#sentBefore.delete(id);
    this.#show();
    await this.#kept.store(id);
  }

  readonly #take = (pictures: ReadonlyMap<string, P>): void => {
    // A new map during the first render would make React start over synchronously.
    if (pictures.size === 0) return this.notify();
    this.#stored = new Map([...pictures, ...this.#stored]);
    this.#doubtSent();
    this.#show();
    void this.#onDocuments();
  };

  async #save(id: string, picture: P): Promise<void> {
    this.#stored.set(id, picture);
    this.#show();
    await this.#kept.store(id);
  }

  async #onDocuments(): Promise<void> {
    await this.#forgetArrived();
    if (this.documents.getSyncState().connection === 'offline') {
      this.#sender.reset();
      if (this.#doubtSent()) this.#show();
    }
    this.#sender.wake();
  }

  /** @returns whether there were any */
  #doubtSent(): boolean {
    const before = this.#sentBefore.size;
    for (const [id, { replaces }] of this.#stored)
      if (replaces !== undefined) this.#sentBefore.add(id);
    return this.#sentBefore.size > before;
  }

  /** Drops pictures that the document shows by now, and those that belong nowhere. */
  async #forgetArrived(): Promise<void> {
    for (const [id, picture] of this.#stored) {
      const place = this.placeOf(id, picture);
      if (place === 'unknown') continue;
      const { replaces } = picture;
      if (place === 'gone' || (replaces !== undefined && place.imageKey !== replaces))
        await this.drop(id);
    }
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
          if (!isOfOne(error)) throw error;
          if (error instanceof CallError && isForLater(error)) return this.#limit(id, error);
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

  /** Leaves out a picture for as long as the server asks. */
  #limit(id: string, error: CallError): void {
    console.error(this.#failure, error);
    this.#limited.add(id);
    setTimeout(
      () => {
        this.#limited.delete(id);
        this.#sender.wake();
      },
      (error.retryAfter ?? LIMITED_SECONDS) * 1_000,
    );
  }

  /**
   * Returns the next picture that has a place on the server.
   * @param failed those that failed in this turn
   */
  #next(failed?: ReadonlySet<string>): [id: string, picture: P, replaces: string | null] | null {
    if (this.documents.getSyncState().connection !== 'connected') return null;
    for (const [id, picture] of this.#stored) {
      if (failed?.has(id) || this.#limited.has(id)) continue;
      const place = this.placeOf(id, picture);
      if (typeof place === 'object' && place.isOnServer && this.#stateOf(id, picture) === 'waiting')
        return [id, picture, place.imageKey];
    }
    return null;
  }

  /**
   * @param replaces the image key there before
   * @throws if it should be retried
   */
  async #sendOne(id: string, picture: P, replaces: string | null): Promise<void> {
    let imageKey: string | null;
    try {
      imageKey = await this.upload(id, picture, new Blob([picture.bytes], { type: picture.type }));
    } catch (error) {
      if (!(error instanceof CallError) || !this.isPermanent(error)) throw error;
      console.error(this.#failure, error);
      if (this.#stored.get(id) === picture)
        await this.#save(id, { ...picture, problem: messageOf(error) });
      return;
    }
    if (this.#stored.get(id) !== picture) return;
    const isFirst = picture.replaces === undefined;
    this.#sentBefore.delete(id);
    // The document showed it already: an earlier answer was lost.
    if (imageKey !== null && imageKey === replaces) return this.drop(id);
    await this.#save(id, { ...picture, replaces: isFirst ? replaces : picture.replaces });
    await this.#forgetArrived();
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

/** Whether one picture only failed, so that others can be tried: not if the server is unreachable, down or busy. */
const isOfOne = (error: unknown): boolean =>
  error instanceof CallError
    ? isForLater(error) || (error.status > 0 && error.status <= 500 && error.retryAfter === null)
    : error instanceof DOMException && error.name === 'TimeoutError';
