import { z } from 'zod';
import { listDrafts, saveDraft } from '#shared/chat/contract.ts';
import { NO_DRAFT, readDrafts } from '#shared/chat/drafts.ts';
import { DRAFT_MAX } from '#shared/chat/rules.ts';
import { cutText } from '#shared/normalization/cut-text.ts';
import { CallError, isNotFound } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { Sender } from '../../../platform/http/retry.ts';
import { readCache, writeCache } from '../../../platform/local-cache.ts';
import { oncePer } from '../../../platform/once-per.ts';
import { prefixOf } from '../../../platform/storage-keys.ts';
import { Store } from '../../../platform/store.ts';
import type { UserDocuments } from '../../../platform/sync/documents/user-documents.ts';

/** A draft is sent after a pause in typing. */
const SEND_AFTER_MS = 1_000;
/** The drafts that the server has, and those that it doesn't have yet. The second outlast the end of a session. */
const SAVED = 'drafts';
const UNSENT = 'unsent-drafts';

/** What another version of the app, or a bug, left unreadable takes nothing else with it. */
const entry = z.object({
  text: z.string(),
  copy: z.string().nullable().catch(null),
  /** Of the server, as last seen by this device. */
  version: z.number().catch(0),
  /** Whether the user has decided between the text and its copy. */
  drops_copy: z.boolean().catch(false),
});
type Entry = z.infer<typeof entry>;
type Entries = Readonly<Record<string, Entry>>;

const NONE: Entry = { ...NO_DRAFT, drops_copy: false };
const entries = z
  .record(z.string(), entry.nullable().catch(null))
  .transform((all) =>
    Object.fromEntries(
      Object.entries(all).flatMap(([id, one]) => (one ? [[id, one] as const] : [])),
    ),
  );

/**
 * The texts that a user has not sent, by friend: stored on this device with each keystroke, and by the server as latest values, which
 * have no history (decision 51).
 */
export class Drafts extends Store {
  readonly #documents: UserDocuments;
  readonly #sender = new Sender(() => this.#synchronize(), 'Failed to save drafts');
  #saved: Entries;
  #unsent: Entries;
  #shown: Entries;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether other devices may have changed some. With a connection, this device is told from then on. */
  #isStale = false;
  #connection = '';
  /** Texts that the server refused, by friend. They stay here; what is written next, and the next start, offers them again. */
  readonly #refused = new Map<string, string>();

  constructor(documents: UserDocuments) {
    super();
    this.#documents = documents;
    this.#saved = this.#read(SAVED);
    this.#unsent = this.#read(UNSENT);
    this.#shown = { ...this.#saved, ...this.#unsent };
    window.addEventListener('storage', this.#onStorage);
    window.addEventListener('online', this.refetch);
    documents.subscribe(this.#onDocuments);
    this.#sender.wake();
    void documents.database.then(this.#addRestored);
  }

  /** Returns all drafts by friend: the same object until one changes. */
  readonly getAll = (): Entries => this.#shown;

  /** The number of drafts on their way to the server. */
  readonly getUnsentCount = (): number => Object.keys(this.#unsent).length - this.getRefusedCount();

  readonly getRefusedCount = (): number =>
    Object.keys(this.#unsent).filter((friend) => this.#isRefused(friend)).length;

  /** Changes a draft; an empty text removes it. */
  write(friendUserId: string, text: string, drops_copy = false): void {
    if (this.#documents.isClosed) return;
    this.#removeFormer(friendUserId);
    const before = this.#shown[friendUserId] ?? NONE;
    const next = {
      ...before,
      text: cutText(text, DRAFT_MAX),
      copy: drops_copy ? null : before.copy,
      drops_copy: before.drops_copy || drops_copy,
    };
    this.#set(this.#saved, { ...this.#unsent, [friendUserId]: next });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.send, SEND_AFTER_MS);
  }

  /** Sends what was typed, without waiting for a pause. */
  readonly send = (): void => {
    clearTimeout(this.#timer);
    this.#sender.wake();
  };

  /** Reads the drafts again that other devices may have changed. */
  readonly refetch = (): void => {
    this.#isStale = true;
    this.#sender.reset();
    this.#sender.wake();
  };

  /** Former apps wrote drafts into the account, where their history stays. */
  #removeFormer(friend_user_id: string): void {
    const { status, doc } = this.#documents.getDocument('account');
    if (status !== 'ready' || readDrafts(doc)[friend_user_id] === undefined) return;
    const at = new Date().toISOString();
    this.#documents.change('account', 'draft.set', { friend_user_id, text: '', at });
  }

  async #synchronize(): Promise<void> {
    if (this.#documents.isClosed) return;
    for (const [friendUserId, each] of Object.entries(this.#unsent)) {
      if (this.#isRefused(friendUserId)) continue;
      const { text, version: base_version, drops_copy } = each;
      const draft = await saveOne(friendUserId, { text, base_version, drops_copy });
      if (this.#documents.isClosed) return;
      if (draft !== 'refused') this.#note(friendUserId, each, draft);
      else {
        this.#refused.set(friendUserId, text);
        this.notify();
      }
    }
    if (!this.#isStale) return;
    this.#isStale = false;
    try {
      const { drafts } = await call(listDrafts);
      const all = Object.fromEntries(
        drafts.map(({ friend_user_id, ...draft }) => [friend_user_id, { ...NONE, ...draft }]),
      );
      if (!this.#documents.isClosed) this.#set(all, this.#unsent);
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }

  #isRefused(friendUserId: string): boolean {
    return this.#refused.get(friendUserId) === this.#unsent[friendUserId]?.text;
  }

  /** @param sent what was sent. @param draft what the server has now; null if it will never have it */
  #note(friendUserId: string, sent: Entry, draft: typeof NO_DRAFT | null): void {
    const { [friendUserId]: now, ...others } = this.#unsent;
    const saved = { ...this.#saved, [friendUserId]: { ...NONE, ...draft } };
    if (!draft || (draft.text === '' && !draft.copy)) delete saved[friendUserId];
    if (!now || now === sent || !draft) return this.#set(saved, others);
    // Typed meanwhile.
    const { version, copy } = draft;
    this.#set(saved, {
      ...others,
      [friendUserId]: { ...now, version, copy: now.drops_copy ? null : copy },
    });
  }

  #set(saved: Entries, unsent: Entries): void {
    if (saved !== this.#saved) this.#store(SAVED, saved);
    if (unsent !== this.#unsent)
      this.#documents.noteRefusing('drafts', !this.#store(UNSENT, unsent));
    this.#saved = saved;
    this.#unsent = unsent;
    this.#shown = { ...saved, ...unsent };
    this.notify();
  }

  #read(name: string): Entries {
    return readCache(entries, this.#documents.userId, name) ?? {};
  }

  /** @returns whether it is stored */
  #store(name: string, value: Entries): boolean {
    return writeCache(this.#documents.userId, name, Object.keys(value).length > 0 ? value : null);
  }

  /** Opening the database restores what an ended session left, in the same tab, maybe after these were read. */
  readonly #addRestored = (): void => {
    if (this.#documents.isClosed) return;
    const stored = this.#read(UNSENT);
    if (Object.keys(stored).every((friend) => friend in this.#unsent)) return;
    this.#set(this.#saved, { ...stored, ...this.#unsent });
    this.send();
  };

  /** Another tab wrote. */
  readonly #onStorage = ({ key }: StorageEvent) => {
    const prefix = prefixOf(this.#documents.userId);
    if (key !== prefix + SAVED && key !== prefix + UNSENT) return;
    this.#saved = this.#read(SAVED);
    this.#unsent = this.#read(UNSENT);
    this.#shown = { ...this.#saved, ...this.#unsent };
    this.notify();
  };

  readonly #onDocuments = () => {
    if (this.#documents.isClosed) return this.#close();
    const { connection } = this.#documents.getSyncState();
    if (connection === this.#connection) return;
    this.#connection = connection;
    if (connection !== 'connected') return;
    this.refetch();
  };

  #close(): void {
    clearTimeout(this.#timer);
    this.#sender.stop();
    window.removeEventListener('storage', this.#onStorage);
    window.removeEventListener('online', this.refetch);
  }
}

/** @returns null after the friendship ended. @throws when it should be tried again */
async function saveOne(
  friendUserId: string,
  body: { text: string; base_version: number; drops_copy: boolean },
): Promise<typeof NO_DRAFT | 'refused' | null> {
  try {
    return (await call(saveDraft, { params: { friendUserId }, body })).draft;
  } catch (error) {
    if (isNotFound(error)) return null;
    if (error instanceof CallError && error.status === 400) return 'refused';
    throw error;
  }
}

/** Returns the drafts of a user. */
export const draftsOf = oncePer((documents: UserDocuments) => new Drafts(documents));
