import type { SoundType } from '#shared/dogs/contract.ts';
import { newId } from '#shared/ids.ts';
import { getRecording, uploadSound } from '#shared/sounds/contract.ts';
import { readSounds, type Sound } from '#shared/sounds/document.ts';
import { CallError, isNotFound, pathOf } from '../../platform/http/api-client.ts';
import { call } from '../../platform/http/api.ts';
import { messageOf } from '../../platform/http/error-message.ts';
import { Sender } from '../../platform/http/retry.ts';
import { oncePer } from '../../platform/once-per.ts';
import { Store } from '../../platform/store.ts';
import type { UserDocuments } from '../../platform/sync/documents/user-documents.ts';
import { sendLater } from '../../platform/sync/outbox/outbox.ts';
import { StoredRows } from '../../platform/sync/storage/stored-rows.ts';
import { oneTabAtATime } from '../../platform/sync/tabs/tab-coordination.ts';

/** A recording stored on this device, by sound ID, so that it plays offline. */
interface StoredRecording {
  bytes: ArrayBuffer;
  /** The same for all attempts, so that the server stores it once. */
  idempotencyKey: string;
  /** Its file key on the server; null until uploaded. */
  image_key: string | null;
  /** Why the server rejected it. */
  problem?: string;
}

export interface OwnedSound extends Sound {
  /** WAV; null until downloaded. */
  bytes: ArrayBuffer | null;
  /** Only on this device, also on the server, rejected for good, or not downloaded yet. */
  state: 'waiting' | 'saved' | 'refused' | 'downloading';
  problem?: string;
}

const PERMANENT_ERRORS = new Set([400, 413, 415]);
const TIMEOUT_MS = 30_000;

/** The owner's own alert sounds: metadata in the account document, recordings stored here and synced when online. */
export class SoundLibrary extends Store {
  #stored = new Map<string, StoredRecording>();
  #shown: readonly OwnedSound[] = [];
  readonly #documents: UserDocuments;
  readonly #loaded: Promise<void>;
  readonly #kept: StoredRows<string>;
  readonly #sender = new Sender(() => this.#sync(), 'Failed to sync sounds');

  constructor(documents: UserDocuments) {
    super();
    this.#documents = documents;
    this.#kept = new StoredRows(
      documents,
      'sounds',
      (id) => this.#stored.get(id),
      () => this.#stored.keys(),
    );
    this.#loaded = this.#kept.read<StoredRecording>((recordings) => {
      this.#stored = new Map([...recordings, ...this.#stored]);
      this.notify();
      void this.#onDocuments();
    });
    documents.subscribe(() => void this.#onDocuments());
  }

  /** At most one of each type; the same array until it changes. */
  readonly getSounds = (): readonly OwnedSound[] => this.#shown;

  readonly getUnsentCount = (): number | null =>
    this.#kept.isRead ? this.#countOf(({ problem }) => !problem) : null;

  readonly getRefusedCount = (): number => this.#countOf(({ problem }) => Boolean(problem));

  /** Returns the recording for alerts of a type; null for the default sound. */
  readonly bytesOf = (type: SoundType): ArrayBuffer | null =>
    this.#shown.find((sound) => sound.sound_type === type)?.bytes ?? null;

  /** Adds a sound, replacing the one of the same type. @param bytes WAV */
  async add(
    sound: { name: string; sound_type: SoundType; image_filename: string | null },
    bytes: ArrayBuffer,
  ): Promise<void> {
    await this.#loaded;
    const replaced = this.#sounds().find((each) => each.sound_type === sound.sound_type);
    const id = newId();
    const recording = { bytes, idempotencyKey: newId(), image_key: null };
    // Both synchronously: a recording without its sound would be removed.
    this.#stored.set(id, recording);
    this.#documents.change('account', 'sound.set', { ...sound, id });
    await this.#save(id, recording);
    if (replaced) await this.#forgetOnServer(replaced);
    this.#sender.reset();
    this.#sender.wake();
  }

  async remove(id: string): Promise<void> {
    const sound = this.#sounds().find((each) => each.id === id);
    this.#documents.change('account', 'sound.remove', { id });
    if (sound) await this.#forgetOnServer(sound);
  }

  /** Makes the server delete the file; the account document has already removed the sound. */
  async #forgetOnServer({ id, image_key }: Sound): Promise<void> {
    if (image_key) await sendLater(this.#documents, 'sounds.delete', { params: { id } });
  }

  #sounds(): Sound[] {
    const { status, doc } = this.#documents.getDocument('account');
    return status === 'ready' ? readSounds(doc) : [];
  }

  async #save(id: string, recording: StoredRecording): Promise<void> {
    this.#stored.set(id, recording);
    this.#show();
    await this.#kept.store(id);
  }

  async #onDocuments(): Promise<void> {
    this.#show();
    if (this.#documents.isClosed) return this.#sender.stop();
    if (this.#documents.getSyncState().connection === 'offline') this.#sender.reset();
    this.#sender.wake();
  }

  async #sync(): Promise<void> {
    await this.#loaded;
    if (!this.#isOnline() || !this.#hasWork()) return;
    await oneTabAtATime(`sounds-${this.#documents.userId}`, async () => {
      await this.#forgetRemoved();
      for (const sound of this.#sounds()) {
        const recording = this.#stored.get(sound.id);
        if (this.#isToSend(sound)) await this.#upload(sound.id, recording!);
        else if (sound.image_key && recording?.image_key !== sound.image_key)
          await this.#download(sound.id, sound.image_key);
      }
    });
  }

  /** Also before the account is open, which says of what they are. */
  #countOf(isWanted: (recording: StoredRecording) => boolean): number {
    const { status } = this.#documents.getDocument('account');
    const ids = new Set(this.#sounds().map(({ id }) => id));
    const isOnlyHere = ([id, recording]: [string, StoredRecording]) =>
      recording.image_key === null && (status !== 'ready' || ids.has(id)) && isWanted(recording);
    return [...this.#stored].filter(isOnlyHere).length;
  }

  #isOnline(): boolean {
    const { connection, isConfirmed } = this.#documents.getSyncState();
    return !this.#documents.isClosed && connection === 'connected' && isConfirmed;
  }

  #isToSend({ id }: Sound): boolean {
    const recording = this.#stored.get(id);
    return recording !== undefined && recording.image_key === null && !recording.problem;
  }

  #hasWork(): boolean {
    const sounds = this.#sounds();
    return (
      [...this.#stored.keys()].some((id) => !sounds.some((sound) => sound.id === id)) ||
      sounds.some(
        (sound) =>
          this.#isToSend(sound) ||
          (sound.image_key !== null && this.#stored.get(sound.id)?.image_key !== sound.image_key),
      )
    );
  }

  /** Removes recordings of sounds that the account no longer has. */
  async #forgetRemoved(): Promise<void> {
    const ids = new Set(this.#sounds().map(({ id }) => id));
    for (const id of this.#stored.keys())
      if (!ids.has(id)) {
        this.#stored.delete(id);
        this.#kept.changed(id);
      }
    await this.#kept.flush();
    this.#show();
  }

  /** @throws if it should be retried */
  async #upload(id: string, recording: StoredRecording): Promise<void> {
    try {
      const { sound } = await call(uploadSound, {
        params: { id },
        file: new Blob([recording.bytes], { type: 'audio/wav' }),
        idempotencyKey: recording.idempotencyKey,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await this.#save(id, { ...recording, image_key: sound.image_key });
    } catch (error) {
      // The sound was removed; the account document will follow.
      if (isNotFound(error)) return;
      if (!(error instanceof CallError) || !PERMANENT_ERRORS.has(error.status)) throw error;
      await this.#save(id, { ...recording, problem: messageOf(error) });
    }
  }

  async #download(id: string, image_key: string): Promise<void> {
    const response = await fetch(pathOf(getRecording, { key: image_key }), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 404) return;
    if (!response.ok) throw new CallError(getRecording.failure, response.status, 'failed');
    const bytes = await response.arrayBuffer();
    await this.#save(id, { bytes, idempotencyKey: '', image_key });
  }

  #show(): void {
    const shown = this.#sounds().map((sound) => {
      const recording = this.#stored.get(sound.id);
      return {
        ...sound,
        bytes: recording?.bytes ?? null,
        state: stateOf(recording),
        problem: recording?.problem,
      };
    });
    if (isSame(shown, this.#shown)) return;
    this.#shown = shown;
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

function stateOf(recording: StoredRecording | undefined): OwnedSound['state'] {
  if (!recording) return 'downloading';
  if (recording.problem) return 'refused';
  return recording.image_key === null ? 'waiting' : 'saved';
}

/** Returns the sound library of a user's documents. */
export const soundsOf = oncePer((documents: UserDocuments) => new SoundLibrary(documents));
