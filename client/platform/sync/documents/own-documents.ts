import type { AutomergeUrl, DocHandle, Repo } from '@automerge/automerge-repo/slim';
import * as A from '@automerge/automerge/slim';
import { z } from 'zod';
import { OWN_KINDS, type OwnKind } from '#shared/document-kinds.ts';
import type { CurrentUser } from '#shared/session/contract.ts';
import { readCache, writeCache } from '../../local-cache.ts';
import { nextTask } from '../../scheduling/next-task.ts';
import type { Journal } from '../journal/journal.ts';
import { coveredBy, settleIntents } from '../journal/replay.ts';
import { NO_TIME } from '../state/document-state.ts';
import type { DocumentRemovals } from '../storage/document-removals.ts';
import type { LocalDatabase } from '../storage/local-database.ts';
import type { CrossTabSync } from '../tabs/cross-tab-sync.ts';
import type { RestoredChanges } from './unsent-changes.ts';
import type { Confirmations } from './unsynced-changes.ts';

type Handle = DocHandle<unknown>;

interface Move {
  /** Documents on this device, oldest first. */
  former: Handle[];
  fresh: Handle;
}

interface Host {
  userId: string;
  repo: Repo;
  database: Pick<LocalDatabase, 'chunks'> | null;
  journal: Journal;
  confirmations: Confirmations;
  removals: DocumentRemovals;
  tabs: CrossTabSync;
  restored: RestoredChanges | null;
  /** Ids of documents that the server does not have, by its own account over this connection. */
  missing: ReadonlySet<string>;
  /** Ids of documents that are damaged on this device. */
  damaged: ReadonlySet<string>;
  /** Documents of which nothing is known of what the server has, because what arrived exceeds their bounds. */
  leftOut: { has(documentId: string): boolean };
  onChange(): void;
}

/** What is stored of moves between documents, apart from the documents. */
const moves = z.object({
  /** URLs of documents that were left and are not in the server's list of former ones, as after a restored backup. */
  left: z.partialRecord(z.enum(OWN_KINDS), z.array(z.string())),
  /** The heads, by id, with which documents were carried over. An older app in another tab may write one again. */
  done: z.record(z.string(), z.array(z.string())),
});
const MOVES = 'document-moves';
const readMoves = (userId: string) => readCache(moves, userId, MOVES) ?? { left: {}, done: {} };

/** Returns the URLs of a user's documents that have another one in their place, and whose changes may not be there yet. */
export const leftUrls = (userId: string): string[] => Object.values(readMoves(userId).left).flat();

const idOf = (url: string) => url.replace('automerge:', '');

/** Which documents a user has, and which ones these replaced. */
export type OwnUrls = Pick<CurrentUser, 'documents' | 'former_documents'>;

/** Returns the URLs of documents that were replaced, oldest first. */
const formerOf = (kind: OwnKind, { former_documents }: OwnUrls): readonly string[] =>
  former_documents?.[kind] ?? [];

/** Returns the URLs of all own documents. */
export const allUrls = (urls: OwnUrls): string[] =>
  OWN_KINDS.flatMap((kind) => [...formerOf(kind, urls), urls.documents[kind]]);

/**
 * The documents of which every user has one. One is at times replaced by another one on the server (decision 392): until that one is here,
 * and the server has said what it has of the old one, the old one is shown and takes edits. Then what the server lacks is carried out on the
 * new one.
 */
export class OwnDocuments {
  readonly #host: Host;
  #urls: OwnUrls;
  readonly #shown = new Map<OwnKind, Handle>();
  readonly #moves = new Map<OwnKind, Move>();
  /** Ids of documents of which the server said over this connection what it has. It closes connections when it retires one. */
  readonly #compared = new Set<string>();
  /** Ids of documents that the server can't read. */
  readonly #unavailable = new Set<string>();
  readonly #left: Partial<Record<OwnKind, string[]>>;
  readonly #done: Record<string, string[]>;

  constructor(host: Host, urls: OwnUrls) {
    this.#host = host;
    this.#urls = urls;
    ({ left: this.#left, done: this.#done } = readMoves(host.userId));
  }

  /** Returns the document to show; undefined before it was opened. */
  get(kind: OwnKind): Handle | undefined {
    return this.#shown.get(kind);
  }

  /** Returns the kind of a document, also of one that was replaced; undefined if it is none of these. */
  kindOf(url: string): OwnKind | undefined {
    const isOf = (kind: OwnKind) =>
      [
        ...formerOf(kind, this.#urls),
        this.#urls.documents[kind],
        this.#shown.get(kind)?.url,
        ...(this.#moves.get(kind)?.former ?? []).map((each) => each.url),
      ].includes(url);
    return OWN_KINDS.find(isOf);
  }

  /** Opens a document, or the last one that it replaced and that is still on this device. */
  async open(kind: OwnKind): Promise<Handle> {
    const url = this.#urls.documents[kind];
    const urls = new Set([...formerOf(kind, this.#urls), ...(this.#left[kind] ?? [])]);
    const former: Handle[] = [];
    for (const each of urls)
      if (each !== url && (await this.#isHere(each))) former.push(this.#find(each));
    const fresh = this.#find(url);
    this.#track(fresh, kind);
    if (former.length > 0) this.#begin(kind, { former, fresh });
    // Whatever an older app wrote since, the new one has the newer values.
    const shown = former.findLast((each) => !this.#doneNow()[each.documentId]) ?? fresh;
    this.#shown.set(kind, shown);
    // The server may have named another one while storage was read.
    if (this.#urls.documents[kind] !== url) this.moveTo(this.#urls);
    return shown;
  }

  /** Follows the documents that the server names now. */
  moveTo(urls: OwnUrls): void {
    this.#urls = urls;
    for (const [kind, shown] of this.#shown) {
      const url = urls.documents[kind];
      const { former, fresh: target } = this.#moves.get(kind) ?? { former: [], fresh: shown };
      if (target.url === url) continue;
      this.#host.removals.cancel(url);
      delete this.#doneNow()[idOf(url)];
      const left = [...(this.#left[kind] ?? []), target.url];
      this.#left[kind] = left.filter(
        (each) => each !== url && !formerOf(kind, urls).includes(each),
      );
      this.#store();
      const fresh = this.#find(url);
      this.#track(fresh, kind);
      this.#begin(kind, { former: [...former, target].filter((each) => each !== fresh), fresh });
    }
  }

  /** Whether a document is being replaced: the server takes no changes of it. */
  isFormer(documentId: string): boolean {
    return [...this.#moves.values()].some(({ former }) =>
      former.some((each) => each.documentId === documentId),
    );
  }

  /** Whether a document replaces one that is still shown: what was done in it is not done again in that one. */
  isAwaited(documentId: string): boolean {
    const isOf = ([kind, { fresh }]: [OwnKind, Move]) =>
      fresh.documentId === documentId && this.#shown.get(kind) !== fresh;
    return [...this.#moves].some(isOf);
  }

  /** Whether a document was replaced and is shown no more: what was only done in it has to be done again. */
  isLeft(documentId: string): boolean {
    const kind = this.kindOf(`automerge:${documentId}`);
    const shown = kind && this.#shown.get(kind);
    return shown !== undefined && shown.documentId !== documentId && !this.isAwaited(documentId);
  }

  /** Notes that the server said what it has of a document. */
  noteCompared(documentId: string): void {
    this.#noteSoon(this.#compared, documentId);
  }

  /** Notes that the server can't say what it has of a document. */
  noteUnavailable(documentId: string): void {
    this.#noteSoon(this.#unavailable, documentId);
  }

  #noteSoon(noted: Set<string>, documentId: string): void {
    // It is known once the message was processed.
    void nextTask()
      .then(() => noted.add(documentId))
      .then(this.#host.onChange);
  }

  /** The server is about to say again what it has. */
  forgetComparisons(): void {
    this.#compared.clear();
    this.#unavailable.clear();
  }

  /** Ends the replacements that can end. @returns the ids of documents that are no longer shown */
  settle(): ReadonlySet<string> {
    const ended = new Set<string>();
    for (const [kind, move] of this.#moves) {
      // Devices write no contacts.
      const isWritten = kind !== 'contacts';
      if (!isWhole(move.fresh) || (isWritten && !move.former.every(this.#isKnown))) continue;
      this.#moves.delete(kind);
      this.#shown.set(kind, move.fresh);
      const unknown = new Set<Handle>();
      for (const each of move.former) {
        if (isWritten && each.isReady() && !this.#carryOver(each, move.fresh)) unknown.add(each);
        ended.add(each.documentId);
      }
      void this.#remove(kind, move, unknown);
    }
    return ended;
  }

  #begin(kind: OwnKind, move: Move): void {
    this.#moves.set(kind, move);
    for (const each of move.former) this.#track(each, kind);
  }

  #find(url: string): Handle {
    return this.#host.repo.findWithProgress<unknown>(url as AutomergeUrl).handle;
  }

  #track(handle: Handle, kind: OwnKind): void {
    const { confirmations, tabs } = this.#host;
    confirmations.track(handle, { isNeeded: true, isWritten: kind !== 'contacts' });
    tabs.share(handle);
  }

  async #isHere(url: string): Promise<boolean> {
    const { database, restored, removals } = this.#host;
    const documentId = idOf(url);
    if (restored?.documentIds.includes(documentId)) return true;
    if (removals.has(url)) return false;
    try {
      return ((await database?.chunks.loadRange([documentId])) ?? []).length > 0;
    } catch (error) {
      console.warn('Failed to look for a replaced document', error);
      return false;
    }
  }

  readonly #isKnown = (handle: Handle): boolean => {
    const { documentId } = handle;
    const { confirmations, missing, damaged, leftOut } = this.#host;
    if (missing.has(documentId)) return true;
    // What can be read of it may be older than what is in the new one.
    if (!handle.isReady()) return damaged.has(documentId);
    if (leftOut.has(documentId) || this.#unavailable.has(documentId)) return true;
    // What the server has besides is on its way: without it, everything since the start would seem to be missing there.
    const confirmed = confirmations.heads.get(documentId) ?? [];
    return this.#compared.has(documentId) && A.hasHeads(handle.doc(), confirmed);
  };

  /**
   * Carries out on the new document what neither the server nor the journal has of an old one.
   * @returns false if it is unknown what the server has: then only what is in the journal is repeated
   */
  #carryOver(former: Handle, fresh: Handle): boolean {
    const { confirmations, journal, missing: gone } = this.#host;
    const doc = former.doc();
    const { documentId } = former;
    // After a restored backup, the server has never had it, and lacks what was in it from the start.
    const isForgotten = gone.has(documentId) && !allUrls(this.#urls).includes(former.url);
    const confirmed = isForgotten ? [] : (confirmations.heads.get(documentId) ?? []);
    // Repeated on the new document, what the server has would undo newer values there, and so would what another tab repeated.
    settleIntents(journal, documentId, doc, confirmed);
    const carriedOver = this.#doneNow()[documentId] ?? [];
    if (carriedOver.length > 0 && A.hasHeads(doc, carriedOver))
      journal.leaveToOthers(documentId, coveredBy(doc, carriedOver));
    const known = [...confirmed, ...carriedOver].filter((head) => A.hasHeads(doc, [head]));
    if (known.length === 0 && confirmed.length > 0) return false;
    const [first] = isForgotten ? [] : A.getAllChanges(doc);
    const base = known.length > 0 || !first ? known : [A.decodeChange(first).hash];
    const journaled = new Set(
      journal
        .all()
        .flatMap(([, { made }]) => (made?.change ? [A.decodeChange(made.change).hash] : [])),
    );
    const missing = A.getChangesMetaSince(doc, base);
    if (missing.every(({ hash }) => journaled.has(hash))) return true;
    const [before, after] = [A.view(doc, base), doc] as Values[];
    fresh.change((draft) => repeatDifference(before!, after!, draft as Values), NO_TIME);
    return true;
  }

  /** Removes the old documents once the new one is on this device's disk. @param unknown those that were not carried over */
  async #remove(
    kind: OwnKind,
    { former, fresh }: Move,
    unknown: ReadonlySet<Handle>,
  ): Promise<void> {
    const { repo, journal, confirmations, tabs, removals } = this.#host;
    for (const each of former) {
      confirmations.untrack(each);
      tabs.unshare(each);
    }
    try {
      // In the next task, the journal has been carried out.
      await Promise.resolve();
      await Promise.all([journal.flush(), repo.flush([fresh.documentId])]);
    } catch (error) {
      // The next start does it again.
      return console.warn('Failed to store a document', error);
    }
    // Meanwhile the server may have named one again, as after a restored backup.
    const { former: awaited = [] } = this.#moves.get(kind) ?? {};
    const left = former.filter(
      (each) => each.url !== this.#urls.documents[kind] && !awaited.includes(each),
    );
    const done = this.#doneNow();
    for (const each of left.filter((one) => !unknown.has(one)))
      done[each.documentId] = each.isReady() ? A.getHeads(each.doc()) : [];
    const urls = left.map((each) => each.url as string);
    this.#left[kind] = this.#left[kind]?.filter((each) => !urls.includes(each));
    this.#store();
    for (const each of left) {
      removals.remove(each.url);
      confirmations.forget(each.documentId);
    }
  }

  /** What this tab and the others carried over. */
  #doneNow(): Record<string, string[]> {
    return Object.assign(this.#done, readMoves(this.#host.userId).done);
  }

  #store(): void {
    const named = new Set(allUrls(this.#urls).map(idOf));
    for (const id of Object.keys(this.#done)) if (!named.has(id)) delete this.#done[id];
    writeCache(this.#host.userId, MOVES, { left: this.#left, done: this.#done });
  }
}

function isWhole(handle: Handle): boolean {
  const doc = handle.isReady() ? handle.doc() : null;
  return typeof doc === 'object' && doc !== null && 'kind' in doc;
}

type Values = Record<string, unknown>;

const isMap = (value: unknown): value is Values =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as null);

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Makes in other values what changed between two states. An edit of something that was removed there changes nothing.
 * @param target a draft
 */
function repeatDifference(before: Values, after: Values, target: Values): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[key], after[key]];
    if (isSame(was, is)) continue;
    const there = target[key];
    if (isSame(is, there)) continue;
    if (is === undefined) delete target[key];
    else if (!isMap(is)) target[key] = copyOf(is);
    else if (typeof there === 'object' && there !== null)
      repeatDifference(isMap(was) ? was : {}, is, there as Values);
    else if (!isMap(was)) target[key] = copyOf(is);
  }
}

/** A value of one document can't be part of another one. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copyOf(each)]));
}
