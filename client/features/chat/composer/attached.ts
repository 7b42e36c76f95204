import { readContacts } from '#shared/friends/document.ts';
import { newId } from '#shared/ids.ts';
import { oncePer } from '../../../platform/once-per.ts';
import type { Picture } from '../../../platform/pictures/read-picture.ts';
import { Store } from '../../../platform/store.ts';
import type { UserDocuments } from '../../../platform/sync/documents/user-documents.ts';
import { StoredRows } from '../../../platform/sync/storage/stored-rows.ts';

/** So many photos are sent at a time. */
export const PHOTOS_MAX = 10;
/** All that is attached to messages that aren't sent takes no more of this device. */
const BYTES_MAX = 64 * 1024 * 1024;
export const NO_ROOM = 'Too much is attached in your chats. Send or remove some of it first.';

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

/** An attached file on the disk. */
interface StoredFile {
  friend: string;
  bytes: ArrayBuffer;
  type: string;
  /** A file that was attached later has a larger one. */
  order: number;
  /** A photo's size in pixels, or a voice note's length. */
  of: { width: number; height: number } | { seconds: number };
}

/** The same in memory. */
interface AttachedFile {
  id: string;
  friend: string;
  order: number;
  what: Picture | VoiceDraft;
  /** Undefined while they are being read. */
  bytes?: ArrayBuffer;
  /** Whether its message is sent, and may not be stored with it yet. */
  isSent?: boolean;
}

export const NOTHING_ATTACHED: Attached = { photos: [], voice: null };

const isPhoto = (what: Picture | VoiceDraft): what is Picture => 'width' in what;

const partsOf = ({ photos, voice }: Attached): (Picture | VoiceDraft)[] =>
  voice ? [...photos, voice] : [...photos];

/**
 * Photos and voice notes that a user has not sent: on this device only, because phones end apps that are in the background, as while a
 * photo is taken. Each is a row, so that tabs tell each other only what changed. Decision 245 says what the end of a session does.
 */
export class AttachedFiles extends Store {
  readonly #documents: UserDocuments;
  readonly #kept: StoredRows<string>;
  readonly #channel: BroadcastChannel;
  readonly #files = new Map<string, AttachedFile>();
  /** Ids of those that a pending read must not bring back. */
  readonly #removed = new Set<string>();
  #shown = new Map<string, Attached>();
  #lastOrder = 0;

  constructor(documents: UserDocuments) {
    super();
    this.#documents = documents;
    this.#kept = new StoredRows(
      documents,
      'attached',
      (id) => this.#rowOf(id),
      () => this.#files.keys(),
    );
    this.#channel = new BroadcastChannel(`leashwise-attached-${documents.userId}`);
    this.#channel.onmessage = ({ data }: MessageEvent<{ id: string; row: StoredFile | null }>) => {
      if (data.row) this.#take(new Map([[data.id, data.row]]));
      else this.#forget(data.id);
    };
    void this.#kept.read<StoredFile>(this.#take);
    documents.subscribe(this.#onDocuments);
  }

  /** Returns what is attached for a friend: the same until it changes. */
  readonly of = (friendUserId: string): Attached =>
    this.#shown.get(friendUserId) ?? NOTHING_ATTACHED;

  /** How many there are; null until they have been read. */
  readonly getKeptCount = (): number | null =>
    this.#kept.isRead ? [...this.#files.values()].filter(({ isSent }) => !isSent).length : null;

  /** Whether another file has room on this device. */
  hasRoomFor({ size }: Pick<Blob, 'size'>): boolean {
    const sizes = [...this.#files.values()].map(({ what }) => what.file.size);
    return sizes.reduce((sum, each) => sum + each, size) <= BYTES_MAX;
  }

  /**
   * Changes what is attached for a friend: here at once, and then on the disk.
   * @param stored whether a message that was sent has what is removed: until then, it stays on the disk
   */
  async change(
    friendUserId: string,
    change: (before: Attached) => Attached,
    stored?: Promise<boolean>,
  ): Promise<void> {
    if (this.#documents.isClosed) return;
    const before = this.of(friendUserId);
    const after = change(before);
    const [had, has] = [partsOf(before), partsOf(after)];
    // A voice note takes the place of another tab's until it is sent or removed.
    const isGone = (what: Picture | VoiceDraft) =>
      had.includes(what) && !has.includes(what) && (isPhoto(what) || !after.voice);
    const removed = [...this.#files.values()].filter(({ what }) => isGone(what));
    const added = has
      .filter((what) => !had.includes(what))
      .map((what): AttachedFile => ({
        id: newId(),
        friend: friendUserId,
        order: (this.#lastOrder = Math.max(Date.now(), this.#lastOrder + 1)),
        what,
      }));
    for (const file of added) this.#files.set(file.id, file);
    for (const file of removed) {
      file.isSent = true;
      this.#channel.postMessage({ id: file.id, row: null });
    }
    this.#show();
    await Promise.all([
      ...added.map((file) => this.#store(file)),
      ...removed.map((file) => this.#remove(file, stored)),
    ]);
  }

  async #store(file: AttachedFile): Promise<void> {
    file.bytes = await file.what.file.arrayBuffer();
    if (this.#documents.isClosed || this.#files.get(file.id) !== file) return;
    if (!file.isSent) this.#channel.postMessage({ id: file.id, row: this.#rowOf(file.id) });
    await this.#kept.store(file.id);
  }

  async #remove({ id }: AttachedFile, stored?: Promise<boolean>): Promise<void> {
    if (stored && !(await stored)) return;
    if (this.#documents.isClosed) return;
    this.#forget(id);
    // Again: a tab that was opened meanwhile has read it.
    this.#channel.postMessage({ id, row: null });
    await this.#kept.store(id);
  }

  #forget(id: string): void {
    this.#removed.add(id);
    this.#files.delete(id);
    this.#show();
  }

  #show(): void {
    const files = [...this.#files.values()]
      .filter(({ isSent }) => !isSent)
      .toSorted((a, b) => a.order - b.order);
    const shown = new Map<string, Attached>();
    for (const { friend } of files) {
      if (shown.has(friend)) continue;
      const own = files.filter((file) => file.friend === friend).map(({ what }) => what);
      const photos = own.filter(isPhoto).slice(0, PHOTOS_MAX);
      const voice = own.filter((what): what is VoiceDraft => !isPhoto(what)).at(-1) ?? null;
      const before = this.of(friend);
      const isSame =
        before.voice === voice &&
        before.photos.length === photos.length &&
        before.photos.every((photo, i) => photo === photos[i]);
      shown.set(friend, isSame ? before : { photos, voice });
    }
    this.#shown = shown;
    this.notify();
  }

  readonly #take = (rows: ReadonlyMap<string, StoredFile>): void => {
    for (const [id, { friend, bytes, type, order, of }] of rows) {
      if (this.#files.has(id) || this.#removed.has(id)) continue;
      const file = new File([bytes], 'attached', { type });
      this.#files.set(id, { id, friend, order, bytes, what: { ...of, file } });
      this.#lastOrder = Math.max(this.#lastOrder, order);
    }
    this.#show();
    this.#onDocuments();
  };

  #rowOf(id: string): StoredFile | undefined {
    const { friend, order, bytes, what } = this.#files.get(id) ?? {};
    if (!friend || !order || !bytes || !what) return undefined;
    const { file, ...of } = what;
    return { friend, bytes, type: file.type, order, of };
  }

  /** Removes what is for people who are no friends any more. */
  readonly #onDocuments = (): void => {
    if (this.#documents.isClosed) return this.#channel.close();
    const { status, doc } = this.#documents.getDocument('contacts');
    if (this.#files.size === 0 || status !== 'ready') return;
    const friends = new Set(readContacts(doc).friends.map(({ user_id }) => user_id));
    for (const file of this.#files.values()) if (!friends.has(file.friend)) void this.#remove(file);
  };
}

/** Returns what a user has attached and not sent. */
export const attachedOf = oncePer((documents: UserDocuments) => new AttachedFiles(documents));
