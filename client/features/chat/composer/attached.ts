import { readContacts } from '#shared/friends/document.ts';
import { oncePer } from '../../../platform/once-per.ts';
import type { Picture } from '../../../platform/pictures/read-picture.ts';
import { Store } from '../../../platform/store.ts';
import type { UserDocuments } from '../../../platform/sync/documents/user-documents.ts';
import { StoredRows } from '../../../platform/sync/storage/stored-rows.ts';

/** So many photos are sent at a time. */
export const PHOTOS_MAX = 10;
/** All that is attached to messages that aren't sent takes no more of this device. */
const BYTES_MAX = 64 * 1024 * 1024;

/** A voice note that isn't sent yet. */
export interface VoiceDraft {
  file: Blob;
  /** Whole ones, at least one. */
  seconds: number;
}

/** What a user has attached to the next message to a friend. */
export interface Attached {
  photos: readonly Picture[];
  voice: VoiceDraft | null;
}

interface StoredFile {
  bytes: ArrayBuffer;
  type: string;
}

interface StoredAttached {
  photos: (StoredFile & { width: number; height: number })[];
  voice: (StoredFile & { seconds: number }) | null;
}

export const NOTHING_ATTACHED: Attached = { photos: [], voice: null };

const filesOf = ({ photos, voice }: Attached): Blob[] => [
  ...photos.map(({ file }) => file),
  ...(voice ? [voice.file] : []),
];

/**
 * Photos and voice notes that a user has not sent, by friend: on this device only, because phones end apps that are in the background, as
 * while a photo is taken. The end of a session removes them (decision 245). All tabs have the same.
 */
export class AttachedFiles extends Store {
  readonly #documents: UserDocuments;
  readonly #kept: StoredRows<string>;
  readonly #channel: BroadcastChannel;
  readonly #all = new Map<string, Attached>();
  /** Friends whose files were changed here: what is read later doesn't replace them. */
  readonly #changed = new Set<string>();
  /** Friends of whose files another tab told. */
  readonly #known = new Set<string>();
  readonly #bytes = new WeakMap<Blob, ArrayBuffer>();

  constructor(documents: UserDocuments) {
    super();
    this.#documents = documents;
    this.#kept = new StoredRows(
      documents,
      'attached',
      (friend) => this.#rowOf(friend),
      () => this.#all.keys(),
    );
    this.#channel = new BroadcastChannel(`leashwise-attached-${documents.userId}`);
    this.#channel.onmessage = ({
      data,
    }: MessageEvent<{ friend: string; row: StoredAttached | null }>) => {
      this.#known.add(data.friend);
      this.#show(data.friend, data.row && this.#filesIn(data.row));
    };
    void this.#kept.read<StoredAttached>(this.#take);
    documents.subscribe(this.#onDocuments);
  }

  /** Returns what is attached for a friend: the same until it changes. */
  readonly of = (friendUserId: string): Attached => this.#all.get(friendUserId) ?? NOTHING_ATTACHED;

  /** How many there are; null until they have been read. */
  readonly getKeptCount = (): number | null =>
    this.#kept.isRead ? [...this.#all.values()].flatMap(filesOf).length : null;

  /** Whether another file has room on this device. */
  hasRoomFor({ size }: Blob): boolean {
    const sizes = [...this.#all.values()].flatMap(filesOf).map((file) => file.size);
    return sizes.reduce((sum, each) => sum + each, size) <= BYTES_MAX;
  }

  /**
   * Changes what is attached for a friend: here at once, and then on the disk.
   * @param after when it may be gone from there: a message that was sent must have its file first
   */
  async change(
    friendUserId: string,
    change: (before: Attached) => Attached,
    after: Promise<unknown> = Promise.resolve(),
  ): Promise<void> {
    if (this.#documents.isClosed) return;
    this.#changed.add(friendUserId);
    this.#show(friendUserId, change(this.of(friendUserId)));
    for (const file of filesOf(this.of(friendUserId)))
      if (!this.#bytes.has(file)) this.#bytes.set(file, await file.arrayBuffer());
    await after;
    if (this.#documents.isClosed) return;
    this.#channel.postMessage({ friend: friendUserId, row: this.#rowOf(friendUserId) ?? null });
    await this.#kept.store(friendUserId);
  }

  #show(friendUserId: string, attached: Attached | null): void {
    if (attached && filesOf(attached).length > 0) this.#all.set(friendUserId, attached);
    else this.#all.delete(friendUserId);
    this.notify();
  }

  readonly #take = (rows: ReadonlyMap<string, StoredAttached>): void => {
    for (const [friend, row] of rows) {
      if (this.#known.has(friend)) continue;
      const stored = this.#filesIn(row);
      const { photos, voice } = this.of(friend);
      if (!this.#changed.has(friend)) this.#all.set(friend, stored);
      // Attached before this was read.
      else if (photos.length > 0 || voice)
        void this.change(friend, () => ({
          photos: [...stored.photos, ...photos].slice(0, PHOTOS_MAX),
          voice: voice ?? stored.voice,
        }));
    }
    this.notify();
    this.#onDocuments();
  };

  #rowOf(friendUserId: string): StoredAttached | undefined {
    const { photos, voice } = this.of(friendUserId);
    const stored = (file: Blob): StoredFile[] => {
      const bytes = this.#bytes.get(file);
      // Its bytes are being read, after which it is stored.
      return bytes ? [{ bytes, type: file.type }] : [];
    };
    const row = {
      photos: photos.flatMap(({ file, width, height }) =>
        stored(file).map((each) => ({ ...each, width, height })),
      ),
      voice:
        voice &&
        (stored(voice.file).map((each) => ({ ...each, seconds: voice.seconds }))[0] ?? null),
    };
    return row.photos.length > 0 || row.voice ? row : undefined;
  }

  #filesIn({ photos, voice }: StoredAttached): Attached {
    const fileOf = ({ bytes, type }: StoredFile): File => {
      const file = new File([bytes], 'attached', { type });
      this.#bytes.set(file, bytes);
      return file;
    };
    return {
      photos: photos.map(({ width, height, ...file }) => ({ file: fileOf(file), width, height })),
      voice: voice && { file: fileOf(voice), seconds: voice.seconds },
    };
  }

  /** Removes what is for people who are no friends any more. */
  readonly #onDocuments = (): void => {
    if (this.#documents.isClosed) return this.#channel.close();
    const { status, doc } = this.#documents.getDocument('contacts');
    if (this.#all.size === 0 || status !== 'ready') return;
    const friends = new Set(readContacts(doc).friends.map(({ user_id }) => user_id));
    for (const friend of this.#all.keys())
      if (!friends.has(friend)) void this.change(friend, () => NOTHING_ATTACHED);
  };
}

/** Returns what a user has attached and not sent. */
export const attachedOf = oncePer((documents: UserDocuments) => new AttachedFiles(documents));
