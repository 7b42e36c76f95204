import type { SoundType } from '#shared/dogs/contract.ts';
import { getRecording, uploadSound } from '#shared/sounds/contract.ts';
import { readSounds, type Sound } from '#shared/sounds/document.ts';
import { call } from '../http/api.ts';
import { CallError, isNotFound, pathOf } from '../http/api-client.ts';
import type { UserDocuments } from '../sync/documents/user-documents.ts';
import type { Write } from '../sync/storage/local-database.ts';
import { oneTabAtATime } from '../sync/tabs/with-tab-lock.ts';
import { sendLater } from '../sync/outbox/outbox.ts';
import { Sender } from '../sync/outbox/retry-runner.ts';
import { Store } from '../store.ts';

/** A recording as this device keeps it, under its sound's id, so that it plays without a network. */
interface KeptRecording {
  bytes: ArrayBuffer;
  /** One for all attempts, so that the server stores it once. */
  idempotencyKey: string;
  /** Under which key the server has it; null while it waits here. */
  image_key: string | null;
  /** Why the server will not have it. */
  problem?: string;
}

export interface OwnedSound extends Sound {
  /** WAV; null while this device has not got it. */
  bytes: ArrayBuffer | null;
  /** On this device only, on the server too, refused for good, or on its way to this device. */
  state: 'waiting' | 'saved' | 'refused' | 'coming';
  problem?: string;
}

const NEEDS_THE_PERSON = new Set([400, 413, 415]);
const PATIENCE_MS = 30_000;

/** The owner's own alert sounds on this device: metadata in the account, recordings beside it, both ways when there is a network. */
export class SoundLibrary extends Store {
  private kept = new Map<string, KeptRecording>();
  private shown: readonly OwnedSound[] = [];
  private readonly documents: UserDocuments;
  private readonly loaded: Promise<void>;
  private readonly sender = new Sender(() => this.exchange(), 'Failed to sync sounds');

  constructor(documents: UserDocuments) {
    super();
    this.documents = documents;
    this.loaded = this.load().catch((error: unknown) =>
      console.warn('Failed to read recordings', error),
    );
    documents.subscribe(() => void this.onDocuments());
  }

  /** At most one a type; the same array until it changes. */
  readonly getSounds = (): readonly OwnedSound[] => this.shown;

  /** What an alert of this type plays; null where the usual sound is played. */
  readonly bytesOf = (type: SoundType): ArrayBuffer | null =>
    this.shown.find((sound) => sound.sound_type === type)?.bytes ?? null;

  /** Makes a sound, in the place of the one of its type. @param bytes WAV */
  async add(
    sound: { name: string; sound_type: SoundType; image_filename: string | null },
    bytes: ArrayBuffer,
  ): Promise<void> {
    await this.loaded;
    const replaced = this.sounds().find((each) => each.sound_type === sound.sound_type);
    const id = crypto.randomUUID();
    const recording = { bytes, idempotencyKey: crypto.randomUUID(), image_key: null };
    // Both at once: a recording without its sound would be forgotten.
    this.kept.set(id, recording);
    this.documents.change('account', 'sound.set', { ...sound, id });
    await this.keep(id, recording);
    if (replaced) await this.forgetOnServer(replaced);
    this.sender.reset();
    this.sender.wake();
  }

  async remove(id: string): Promise<void> {
    const sound = this.sounds().find((each) => each.id === id);
    this.documents.change('account', 'sound.remove', { id });
    if (sound) await this.forgetOnServer(sound);
  }

  /** The account says that it is gone; its file is the server's to remove. */
  private async forgetOnServer({ id, image_key }: Sound): Promise<void> {
    if (image_key) await sendLater(this.documents, 'sounds.delete', { params: { id } });
  }

  private sounds(): Sound[] {
    const { status, doc } = this.documents.getDocument('account');
    return status === 'ready' ? readSounds(doc) : [];
  }

  private async load(): Promise<void> {
    const database = await this.documents.database;
    if (database) {
      const [keys, recordings] = await database.read('sounds', (store) =>
        Promise.all([
          store.getAllKeys() as Promise<string[]>,
          store.getAll() as Promise<KeptRecording[]>,
        ]),
      );
      this.kept = new Map(recordings.map((recording, i) => [keys[i] ?? '', recording]));
    }
    await this.onDocuments();
  }

  private async keep(id: string, recording: KeptRecording): Promise<void> {
    this.kept.set(id, recording);
    this.show();
    await this.write((store) => store.put(recording, id));
  }

  private async write(write: Write): Promise<void> {
    const database = await this.documents.database;
    if (!database) return;
    await database
      .commit('sounds', [write])
      .catch((error: unknown) => console.warn('Failed to store a recording on this device', error));
  }

  private async onDocuments(): Promise<void> {
    this.show();
    if (this.documents.isClosed) return this.sender.stop();
    if (this.documents.getSyncState().connection === 'offline') this.sender.reset();
    this.sender.wake();
  }

  private async exchange(): Promise<void> {
    await this.loaded;
    if (!this.isOnline() || !this.hasWork()) return;
    await oneTabAtATime(`sounds-${this.documents.userId}`, 'wait', async () => {
      await this.forgetGone();
      for (const sound of this.sounds()) {
        const recording = this.kept.get(sound.id);
        if (this.isToSend(sound)) await this.upload(sound.id, recording!);
        else if (sound.image_key && recording?.image_key !== sound.image_key)
          await this.download(sound.id, sound.image_key);
      }
    });
  }

  private isOnline(): boolean {
    const { connection, isConfirmed } = this.documents.getSyncState();
    return !this.documents.isClosed && connection === 'connected' && isConfirmed;
  }

  private isToSend({ id }: Sound): boolean {
    const recording = this.kept.get(id);
    return recording !== undefined && recording.image_key === null && !recording.problem;
  }

  private hasWork(): boolean {
    const sounds = this.sounds();
    return (
      [...this.kept.keys()].some((id) => !sounds.some((sound) => sound.id === id)) ||
      sounds.some(
        (sound) =>
          this.isToSend(sound) ||
          (sound.image_key !== null && this.kept.get(sound.id)?.image_key !== sound.image_key),
      )
    );
  }

  /** What the account no longer has, this device need not keep. */
  private async forgetGone(): Promise<void> {
    const ids = new Set(this.sounds().map(({ id }) => id));
    for (const id of this.kept.keys())
      if (!ids.has(id)) {
        this.kept.delete(id);
        await this.write((store) => store.delete(id));
      }
    this.show();
  }

  /** @throws when it should be tried again */
  private async upload(id: string, recording: KeptRecording): Promise<void> {
    try {
      const { sound } = await call(uploadSound, {
        params: { id },
        file: new Blob([recording.bytes], { type: 'audio/wav' }),
        idempotencyKey: recording.idempotencyKey,
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      await this.keep(id, { ...recording, image_key: sound.image_key });
    } catch (error) {
      // The account will say that it is gone.
      if (isNotFound(error)) return;
      if (!(error instanceof CallError) || !NEEDS_THE_PERSON.has(error.status)) throw error;
      await this.keep(id, { ...recording, problem: error.message });
    }
  }

  private async download(id: string, image_key: string): Promise<void> {
    const response = await fetch(pathOf(getRecording, { key: image_key }), {
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.status === 404) return;
    if (!response.ok) throw new CallError(getRecording.failure, response.status, 'failed');
    const bytes = await response.arrayBuffer();
    await this.keep(id, { bytes, idempotencyKey: '', image_key });
  }

  private show(): void {
    const shown = this.sounds().map((sound) => {
      const recording = this.kept.get(sound.id);
      return {
        ...sound,
        bytes: recording?.bytes ?? null,
        state: stateOf(recording),
        problem: recording?.problem,
      };
    });
    if (isSame(shown, this.shown)) return;
    this.shown = shown;
    this.notify();
  }
}

const isSame = (some: readonly OwnedSound[], others: readonly OwnedSound[]): boolean =>
  some.length === others.length &&
  some.every((sound, place) =>
    (Object.keys(sound) as (keyof OwnedSound)[]).every(
      (key) => sound[key] === others[place]?.[key],
    ),
  );

function stateOf(recording: KeptRecording | undefined): OwnedSound['state'] {
  if (!recording) return 'coming';
  if (recording.problem) return 'refused';
  return recording.image_key === null ? 'waiting' : 'saved';
}

const libraries = new WeakMap<UserDocuments, SoundLibrary>();

/** The sounds of one user on this device. */
export function soundsOf(documents: UserDocuments): SoundLibrary {
  let library = libraries.get(documents);
  if (!library) libraries.set(documents, (library = new SoundLibrary(documents)));
  return library;
}
