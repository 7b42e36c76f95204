import { newId } from '#shared/ids.ts';
import { uploadDogImage } from '#shared/dogs/contract.ts';
import { uploadProfileImage } from '#shared/profile/contract.ts';
import { readCard, type Card } from '#shared/profile/document.ts';
import { call } from '../http/api.ts';
import { CallError } from '../http/api-client.ts';
import type { UserDocuments } from '../sync/documents/user-documents.ts';
import type { Write } from '../sync/storage/local-database.ts';
import { oneTabAtATime } from '../sync/tabs/tab-coordination.ts';
import { Sender } from '../sync/outbox/retry.ts';
import { Store } from '../store.ts';

/** Stands for the owner in place of a dog ID, which has no such sign. */
export const OWNER_PHOTO = '@owner';

/** A picture stored on this device, by dog ID, until the owner's card shows it. */
interface StoredPicture {
  bytes: ArrayBuffer;
  type: string;
  /** The same for all attempts, so that the server stores it once. */
  idempotencyKey: string;
  /** The previous picture; undefined until the server has accepted this one. */
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

const PERMANENT_ERRORS = new Set([400, 413, 415]);
/** Upload timeout, so that a half-open connection doesn't block the pictures of all tabs. */
const TIMEOUT_MS = 60_000;

/** Uploads dogs' pictures and the owner's photo: stores them on this device, shows them at once, sends them when the server has the dog. */
export class PictureOutbox extends Store {
  private stored = new Map<string, StoredPicture>();
  private shown: ReadonlyMap<string, WaitingPicture> = new Map();
  private readonly urls = new Map<ArrayBuffer, string>();
  private readonly documents: UserDocuments;
  private readonly loaded: Promise<void>;
  private readonly sender = new Sender(() => this.send(), 'Failed to upload image');

  constructor(documents: UserDocuments) {
    super();
    this.documents = documents;
    this.loaded = this.load().catch((error: unknown) =>
      console.warn('Failed to read pending pictures', error),
    );
    documents.subscribe(() => void this.onDocuments());
  }

  /** Pictures by dog ID. */
  readonly getPictures = (): ReadonlyMap<string, WaitingPicture> => this.shown;

  /** Adds a dog's new picture or the owner's, replacing one that is still waiting. */
  async add(dogId: string, picture: Blob): Promise<void> {
    const bytes = await picture.arrayBuffer();
    await this.loaded;
    const idempotencyKey = newId();
    await this.save(dogId, { bytes, type: picture.type, idempotencyKey });
    this.sender.reset();
    this.sender.wake();
  }

  /** Drops a picture that isn't needed anymore. */
  async drop(dogId: string): Promise<void> {
    if (!this.stored.delete(dogId)) return;
    this.show();
    await this.write((store) => store.delete(dogId));
  }

  private async load(): Promise<void> {
    const database = await this.documents.database;
    if (!database) return;
    const [keys, pictures] = await database.read('pictures', (store) =>
      Promise.all([
        store.getAllKeys() as Promise<string[]>,
        store.getAll() as Promise<StoredPicture[]>,
      ]),
    );
    // A notification during the first render would make React start over synchronously.
    if (pictures.length === 0) return;
    this.stored = new Map(pictures.map((picture, i) => [keys[i] ?? '', picture]));
    this.show();
    await this.onDocuments();
  }

  private async save(dogId: string, picture: StoredPicture): Promise<void> {
    this.stored.set(dogId, picture);
    this.show();
    await this.write((store) => store.put(picture, dogId));
  }

  private async write(write: Write): Promise<void> {
    const database = await this.documents.database;
    if (!database) return;
    await database
      .commit('pictures', [write])
      .catch((error: unknown) => console.warn('Failed to store a picture on this device', error));
  }

  private async onDocuments(): Promise<void> {
    await this.forgetArrived();
    if (this.documents.getSyncState().connection === 'offline') this.sender.reset();
    this.sender.wake();
  }

  /** Drops pictures that the card shows by now, and those of removed dogs. */
  private async forgetArrived(): Promise<void> {
    const { status, doc } = this.documents.getDocument('card');
    if (status !== 'ready' || this.stored.size === 0) return;
    const keys = imageKeys(readCard(doc));
    for (const [dogId, { replaces }] of this.stored)
      if (!keys.has(dogId) || (replaces !== undefined && keys.get(dogId) !== replaces))
        await this.drop(dogId);
  }

  private async send(): Promise<void> {
    if (!this.next()) return;
    await oneTabAtATime(`pictures-${this.documents.userId}`, 'leave', async () => {
      for (let next = this.next(); next; next = this.next()) await this.upload(...next);
    });
  }

  /** Returns the next picture whose dog the server has. */
  private next(): [dogId: string, picture: StoredPicture, replaces: string | null] | null {
    const { status, doc } = this.documents.getDocument('card');
    const { connection, isConfirmed } = this.documents.getSyncState();
    if (status !== 'ready' || connection !== 'connected' || !isConfirmed) return null;
    for (const [id, image_key] of imageKeys(readCard(doc))) {
      const picture = this.stored.get(id);
      if (picture && stateOf(picture) === 'waiting') return [id, picture, image_key];
    }
    return null;
  }

  /**
   * @param replaces the dog's previous picture
   * @throws if it should be retried
   */
  private async upload(
    dogId: string,
    picture: StoredPicture,
    replaces: string | null,
  ): Promise<void> {
    try {
      const sent = {
        file: new Blob([picture.bytes], { type: picture.type }),
        idempotencyKey: picture.idempotencyKey,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      };
      if (dogId === OWNER_PHOTO) await call(uploadProfileImage, sent);
      else await call(uploadDogImage, { ...sent, params: { id: dogId } });
    } catch (error) {
      if (!(error instanceof CallError) || !PERMANENT_ERRORS.has(error.status)) throw error;
      console.error('Failed to upload image', error);
      if (this.stored.get(dogId) === picture)
        await this.save(dogId, { ...picture, problem: error.message });
      return;
    }
    if (this.stored.get(dogId) === picture) await this.save(dogId, { ...picture, replaces });
    await this.forgetArrived();
  }

  private show(): void {
    const pictures = [...this.stored.values()];
    for (const [bytes, url] of this.urls)
      if (!pictures.some((picture) => picture.bytes === bytes)) {
        URL.revokeObjectURL(url);
        this.urls.delete(bytes);
      }
    this.shown = new Map(
      [...this.stored].map(([dogId, picture]) => [
        dogId,
        { url: this.urlOf(picture), state: stateOf(picture), problem: picture.problem },
      ]),
    );
    this.notify();
  }

  private urlOf({ bytes, type }: StoredPicture): string {
    const url = this.urls.get(bytes) ?? URL.createObjectURL(new Blob([bytes], { type }));
    this.urls.set(bytes, url);
    return url;
  }
}

/** Returns the keys of a card's pictures, by dog ID; that of the owner's photo, too. */
const imageKeys = ({ image_key = null, dogs }: Card): Map<string, string | null> =>
  new Map([
    [OWNER_PHOTO, image_key],
    ...dogs.map((dog): [string, string | null] => [dog.id, dog.image_key]),
  ]);

function stateOf({ problem, replaces }: StoredPicture): WaitingPicture['state'] {
  if (problem) return 'refused';
  return replaces === undefined ? 'waiting' : 'sent';
}

const outboxes = new WeakMap<UserDocuments, PictureOutbox>();

/** Returns the picture outbox of a user's documents. */
export function picturesOf(documents: UserDocuments): PictureOutbox {
  let outbox = outboxes.get(documents);
  if (!outbox) outboxes.set(documents, (outbox = new PictureOutbox(documents)));
  return outbox;
}
