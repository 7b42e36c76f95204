import { uploadDogImage } from '#shared/dogs/contract.ts';
import { readCard } from '#shared/profile/document.ts';
import { call } from '../http/api.ts';
import { CallError } from '../http/api-client.ts';
import type { UserDocuments } from '../sync/documents/user-documents.ts';
import type { Write } from '../sync/storage/local-database.ts';
import { oneTabAtATime } from '../sync/tabs/with-tab-lock.ts';
import { Sender } from '../sync/outbox/retry-runner.ts';
import { Store } from '../store.ts';

/** A picture as this device keeps it, under its dog's id, until the dog's card shows it. */
interface KeptPicture {
  bytes: ArrayBuffer;
  type: string;
  /** One for all attempts, so that the server stores it once. */
  idempotencyKey: string;
  /** The dog's picture before this one; undefined until the server has taken this one. */
  replaces?: string | null;
  /** Why the server will not have it. */
  problem?: string;
}

export interface WaitingPicture {
  /** For an `img`. */
  url: string;
  /** On this device only, on the server too, or refused for good. */
  state: 'waiting' | 'sent' | 'refused';
  problem?: string;
}

const NEEDS_THE_PERSON = new Set([400, 413, 415]);
/** A connection that is half open must not keep the pictures of all tabs waiting for it. */
const PATIENCE_MS = 60_000;

/** Dogs' pictures on their way to the server: kept on this device, shown at once, sent when the server has the dog. */
export class PictureOutbox extends Store {
  private kept = new Map<string, KeptPicture>();
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

  /** By dog. */
  readonly getPictures = (): ReadonlyMap<string, WaitingPicture> => this.shown;

  /** Takes a dog's new picture; one that still waited for the same dog is dropped. */
  async add(dogId: string, picture: Blob): Promise<void> {
    const bytes = await picture.arrayBuffer();
    await this.loaded;
    const idempotencyKey = crypto.randomUUID();
    await this.keep(dogId, { bytes, type: picture.type, idempotencyKey });
    this.sender.reset();
    this.sender.wake();
  }

  private async drop(dogId: string): Promise<void> {
    if (!this.kept.delete(dogId)) return;
    this.show();
    await this.write((store) => store.delete(dogId));
  }

  private async load(): Promise<void> {
    const database = await this.documents.database;
    if (!database) return;
    const [keys, pictures] = await database.read('pictures', (store) =>
      Promise.all([
        store.getAllKeys() as Promise<string[]>,
        store.getAll() as Promise<KeptPicture[]>,
      ]),
    );
    // Whoever is told while the first screen is being drawn has React begin it again, in one go.
    if (pictures.length === 0) return;
    this.kept = new Map(pictures.map((picture, i) => [keys[i] ?? '', picture]));
    this.show();
    await this.onDocuments();
  }

  private async keep(dogId: string, picture: KeptPicture): Promise<void> {
    this.kept.set(dogId, picture);
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

  /** Drops what the card shows by now, and what belongs to dogs that are gone. */
  private async forgetArrived(): Promise<void> {
    const { status, doc } = this.documents.getDocument('card');
    if (status !== 'ready' || this.kept.size === 0) return;
    const keys = new Map(readCard(doc).dogs.map((dog) => [dog.id, dog.image_key]));
    for (const [dogId, { replaces }] of this.kept)
      if (!keys.has(dogId) || (replaces !== undefined && keys.get(dogId) !== replaces))
        await this.drop(dogId);
  }

  private async send(): Promise<void> {
    if (!this.next()) return;
    await oneTabAtATime(`pictures-${this.documents.userId}`, 'leave', async () => {
      for (let next = this.next(); next; next = this.next()) await this.upload(...next);
    });
  }

  /** What to send now: a picture whose dog the server has. */
  private next(): [dogId: string, picture: KeptPicture, replaces: string | null] | null {
    const { status, doc } = this.documents.getDocument('card');
    const { connection, isConfirmed } = this.documents.getSyncState();
    if (status !== 'ready' || connection !== 'connected' || !isConfirmed) return null;
    for (const { id, image_key } of readCard(doc).dogs) {
      const picture = this.kept.get(id);
      if (picture && stateOf(picture) === 'waiting') return [id, picture, image_key];
    }
    return null;
  }

  /**
   * @param replaces the dog's picture until now
   * @throws when it should be tried again
   */
  private async upload(
    dogId: string,
    picture: KeptPicture,
    replaces: string | null,
  ): Promise<void> {
    try {
      await call(uploadDogImage, {
        params: { id: dogId },
        file: new Blob([picture.bytes], { type: picture.type }),
        idempotencyKey: picture.idempotencyKey,
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
    } catch (error) {
      if (!(error instanceof CallError) || !NEEDS_THE_PERSON.has(error.status)) throw error;
      console.error('Failed to upload image', error);
      if (this.kept.get(dogId) === picture)
        await this.keep(dogId, { ...picture, problem: error.message });
      return;
    }
    if (this.kept.get(dogId) === picture) await this.keep(dogId, { ...picture, replaces });
    await this.forgetArrived();
  }

  private show(): void {
    const pictures = [...this.kept.values()];
    for (const [bytes, url] of this.urls)
      if (!pictures.some((picture) => picture.bytes === bytes)) {
        URL.revokeObjectURL(url);
        this.urls.delete(bytes);
      }
    this.shown = new Map(
      [...this.kept].map(([dogId, picture]) => [
        dogId,
        { url: this.urlOf(picture), state: stateOf(picture), problem: picture.problem },
      ]),
    );
    this.notify();
  }

  private urlOf({ bytes, type }: KeptPicture): string {
    const url = this.urls.get(bytes) ?? URL.createObjectURL(new Blob([bytes], { type }));
    this.urls.set(bytes, url);
    return url;
  }
}

function stateOf({ problem, replaces }: KeptPicture): WaitingPicture['state'] {
  if (problem) return 'refused';
  return replaces === undefined ? 'waiting' : 'sent';
}

const outboxes = new WeakMap<UserDocuments, PictureOutbox>();

/** The pictures that one user's device still has to send. */
export function picturesOf(documents: UserDocuments): PictureOutbox {
  let outbox = outboxes.get(documents);
  if (!outbox) outboxes.set(documents, (outbox = new PictureOutbox(documents)));
  return outbox;
}
