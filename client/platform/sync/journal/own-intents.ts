import type { DocHandle } from '@automerge/automerge-repo/slim';
import type { AccountDocument } from '#shared/account/document.ts';
import { documentKinds, type DocumentKind, type OwnKind } from '#shared/document-kinds.ts';
import { newId } from '#shared/ids.ts';
import { NoRoomError } from '../bounds/no-room-error.ts';
import { NO_TIME } from '../state/document-state.ts';
import type { Journal } from './journal.ts';
import type * as Replay from './replay.ts';
import { readLostSharing, repeatSharing, type SharingDecision } from './sharing-journal.ts';

interface NamedChange {
  input: { parse(input: unknown): unknown };
  apply(doc: unknown, input: unknown): void;
}

/** Whoever wants to stop sharing their location must be able to. */
const ALWAYS: readonly string[] = ['sharing.save'];

/** A named change, ready to be made. */
export interface OwnChange {
  kind: OwnKind;
  name: string;
  /** Parsed. */
  input: unknown;
  apply: (doc: unknown) => void;
}

/** @throws ZodError when the input does not fit; Error when there is no such change */
export function ownChange(kind: OwnKind, name: string, input: unknown): OwnChange {
  const { changes } = documentKinds[kind as DocumentKind];
  const change = (changes as Record<string, NamedChange | undefined>)[name];
  if (!change) throw new Error(`The ${kind} document has no change named ${name}`);
  const parsed = change.input.parse(input);
  return { kind, name, input: parsed, apply: (doc) => change.apply(doc, parsed) };
}

/** The intents in the journal for a user's card and account, also of earlier starts. Threads carry out their own. */
export class OwnIntents {
  readonly #journal: Journal;
  /** Ids of those that were carried out in this start. */
  readonly #carriedOut = new Set<string>();
  /** Ids of those that the API makes. */
  readonly #handedOver = new Set<string>();
  /** A decision of a page that was gone before it was stored. */
  #lostSharing: SharingDecision | null;

  constructor(userId: string, journal: Journal) {
    this.#journal = journal;
    this.#lostSharing = readLostSharing(userId);
  }

  /** @returns its id */
  write({ kind, name, input }: OwnChange): string {
    const id = newId();
    this.#journal.write(id, { kind, name, input });
    return id;
  }

  /**
   * Carries out those whose document is open.
   * @param handleOf returns an open document; null while it is not, and for what was made in one that replaces it soon
   * @param now the id of the one that the user is making
   * @throws NoRoomError when there is no room for that one, which is forgotten
   */
  carryOut(
    carryOut: typeof Replay.carryOut,
    handleOf: (kind: OwnKind, madeIn?: string) => DocHandle<unknown> | null,
    now?: string,
  ): void {
    const [account, lost] = [handleOf('account'), this.#lostSharing];
    if (account && lost) {
      this.#lostSharing = null;
      account.change((doc) => repeatSharing(doc as AccountDocument, lost), NO_TIME);
      this.#writeSharing(lost);
    }
    for (const [id, { kind, name, input, thread, made }] of this.#journal.all()) {
      const isDone = this.#carriedOut.has(id) && !this.#journal.takeAgain(id);
      const handle = thread || isDone ? null : handleOf(kind as OwnKind, made?.documentId);
      if (!handle) continue;
      this.#carriedOut.add(id);
      try {
        const { apply } = ownChange(kind as OwnKind, name, input);
        carryOut(this.#journal, id, {
          handle,
          kind: ALWAYS.includes(name) ? null : kind,
          change: apply,
        });
      } catch (error) {
        if (error instanceof NoRoomError && id !== now) {
          this.#journal.leaveOut(id);
          continue;
        }
        this.#journal.remove(id);
        if (id === now) throw error;
        // Another attempt would fail as well.
        console.error(`Failed to carry out ${name}`, error);
      }
    }
  }

  #writeSharing({ isEnabled }: SharingDecision): void {
    this.write(ownChange('account', 'sharing.save', { is_location_sharing_enabled: isEnabled }));
  }

  /** Has those carried out again that were only made in these documents, or for which there was no room. */
  repeat(documentIds: ReadonlySet<string>): void {
    if (documentIds.size === 0) return;
    for (const [id, { made }] of this.#journal.all())
      if (!made || documentIds.has(made.documentId)) this.#carriedOut.delete(id);
  }

  /** Has the API make those that are in no document, where documents can't be opened. They stay in the journal until it answers. */
  handOver(api: {
    change(change: OwnChange, idempotencyKey: string, onAnswered: () => void): void;
    sends(name: string): boolean;
  }): void {
    if (this.#lostSharing) {
      this.#writeSharing(this.#lostSharing);
      this.#lostSharing = null;
    }
    for (const [id, { kind, name, input, thread, made }] of this.#journal.all()) {
      // What the API has no call for waits for the document.
      if (thread || made || this.#handedOver.has(id) || !api.sends(name)) continue;
      this.#handedOver.add(id);
      api.change(ownChange(kind as OwnKind, name, input), id, () => this.#journal.remove(id));
    }
  }
}
