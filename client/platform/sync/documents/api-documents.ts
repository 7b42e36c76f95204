import { z } from 'zod';
import { readSharing } from '#shared/account/sharing.ts';
import { documentKinds, type OwnKind } from '#shared/document-kinds.ts';
import { createDog, deleteDog, updateDog, type Dog } from '#shared/dogs/contract.ts';
import { newId } from '#shared/ids.ts';
import { getFullProfile, saveProfile } from '#shared/profile/contract.ts';
import { readCard } from '#shared/profile/document.ts';
import { CallError, isNotFound } from '../../http/api-client.ts';
import { call } from '../../http/api.ts';
import { reachability } from '../../http/reachability.ts';
import { Sender } from '../../http/retry.ts';
import { readCache, writeCache } from '../../local-cache.ts';

/** The kinds that are there without Automerge. Contacts aren't: their screens say why. */
type Kind = Exclude<OwnKind, 'contacts'>;
type Plain = Record<string, unknown>;

interface Change {
  name: string;
  /** Parsed. */
  input: unknown;
  /** The same for all attempts, also of later starts. */
  idempotencyKey: string;
  onAnswered: () => void;
}

interface Wanted {
  kind: OwnKind;
  name: string;
  input: unknown;
  apply: (doc: unknown) => void;
}

/** In a user's cache: settings of this device, since the API has no call for them. */
const ACCOUNT = 'account-here';
const PERMANENT = new Set([400, 404, 409, 413, 415, 422]);

/** Documents as plain values: they hold text as objects only in Automerge. */
const plain = (doc: unknown): Plain => JSON.parse(JSON.stringify(doc)) as Plain;

/**
 * A user's card and account where documents can't be opened: read from the API and changed by it, so that walks and warnings work.
 * Settings stay on this device.
 */
export class ApiDocuments {
  readonly #userId: string;
  readonly #onChange: () => void;
  readonly #docs: Record<Kind, Plain>;
  readonly #unsubscribe: () => void;
  readonly #sender = new Sender(() => this.#send(), 'Failed to save changes');
  #waiting: Change[] = [];

  /** @param onChange called after each change of a document, or of what the server has */
  constructor(userId: string, onChange: () => void) {
    this.#userId = userId;
    this.#onChange = onChange;
    this.#unsubscribe = reachability.subscribe(onChange);
    const { card, account } = documentKinds;
    this.#docs = {
      card: plain(card.initial(userId, new Date().toISOString())),
      account: {
        ...plain(account.initial(userId)),
        ...readCache(z.record(z.string(), z.unknown()), userId, ACCOUNT),
      },
    };
  }

  /** The changes that the server doesn't have yet. */
  get unsaved(): number {
    return this.#waiting.filter(({ name }) => callOf(name) !== null).length;
  }

  /** Whether the API has a call that makes this named change. */
  sends(name: string): boolean {
    return callOf(name) !== null;
  }

  get(kind: Kind): unknown {
    return this.#docs[kind];
  }

  /** Reads the profile. @throws CallError */
  async load(): Promise<void> {
    try {
      const { dogs, is_location_sharing_enabled, ...card } = await call(getFullProfile);
      if (this.#waiting.length > 0) return;
      const entries = dogs.map(({ id, notes = [], ...dog }) => [
        id,
        { ...dog, notes: noted(notes) },
      ]);
      this.#docs.card = {
        ...this.#docs.card,
        ...plain(card),
        dogs: Object.fromEntries(entries) as unknown,
      };
      this.#setAccount({ ...this.#docs.account, is_location_sharing_enabled });
    } catch (error) {
      // Before the setup is completed there is no profile.
      if (!isNotFound(error)) throw error;
    }
    this.#onChange();
  }

  /**
   * Makes a named change here at once, and on the server as soon as it answers.
   * @param idempotencyKey the same whenever it is made again
   * @param onAnswered called when the server has answered
   * @throws when there is no call for it
   */
  change(
    { kind, name, input, apply }: Wanted,
    idempotencyKey: string = newId(),
    onAnswered = () => {},
  ): void {
    if (kind === 'contacts' || (kind === 'card' && callOf(name) === null))
      throw new Error(`${name} needs the ${kind} document`);
    const doc = plain(this.#docs[kind]);
    apply(doc);
    const next = plain(doc);
    if (kind === 'account') this.#setAccount(next);
    else this.#docs.card = next;
    if (callOf(name) !== null)
      this.#waiting = [...this.#waiting, { name, input, idempotencyKey, onAnswered }];
    this.#onChange();
    this.#sender.wake();
  }

  close(): void {
    this.#unsubscribe();
    this.#sender.stop();
    this.#waiting = [];
  }

  #setAccount(account: Plain): void {
    this.#docs.account = account;
    writeCache(this.#userId, ACCOUNT, account);
  }

  async #send(): Promise<void> {
    if (this.#waiting.length === 0) return;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      try {
        await this.#sendOne(next);
      } catch (error) {
        if (!(error instanceof CallError) || !PERMANENT.has(error.status)) throw error;
        console.error('The server refused a change', error);
      }
      const sent = next;
      sent.onAnswered();
      this.#waiting = this.#waiting.filter((change) => change !== sent);
    }
    // What it refused isn't there.
    await this.load();
  }

  async #sendOne({ name, input, idempotencyKey }: Change): Promise<void> {
    const card = readCard(this.#docs.card);
    const isSharing = readSharing(this.#docs.account) === true;
    const dog = input as Dog;
    switch (callOf(name)) {
      case 'profile': {
        const { display_name, about } = card;
        if (!display_name) return;
        const body = { display_name, about, is_location_sharing_enabled: isSharing };
        await call(saveProfile, { body });
        break;
      }
      case 'dog.add':
        await call(createDog, { body: dog, idempotencyKey });
        break;
      case 'dog.edit': {
        const whole = card.dogs.find(({ id }) => id === dog.id);
        if (whole) await call(updateDog, { params: { id: dog.id }, body: whole });
        break;
      }
      case 'dog.remove':
        await call(deleteDog, { params: { id: dog.id } });
        break;
      default:
    }
  }
}

const noted = (notes: readonly string[]) => Object.fromEntries(notes.map((note) => [note, true]));

/** Returns the call that makes a named change; null if there is none. */
function callOf(name: string): 'profile' | 'dog.add' | 'dog.edit' | 'dog.remove' | null {
  if (name === 'profile.save' || name === 'profile.about' || name === 'sharing.save')
    return 'profile';
  return name === 'dog.add' || name === 'dog.edit' || name === 'dog.remove' ? name : null;
}
