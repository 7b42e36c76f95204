import { WAITED_HEADER, WAITED_MAX_MS } from '#shared/deferred-calls.ts';
import { type Endpoint, NOT_YET, STILL_RUNNING } from '#shared/endpoint.ts';
import { newId } from '#shared/ids.ts';
import { CallError, isFromServer } from '../../http/api-client.ts';
import { call } from '../../http/api.ts';
import { Sender } from '../../http/retry.ts';
import { oncePer } from '../../once-per.ts';
import { isAnotherSignedIn } from '../../session/remembered-user.ts';
import { Store } from '../../store.ts';
import type { UserDocuments } from '../documents/user-documents.ts';
import { StoredRows } from '../storage/stored-rows.ts';
import { oneTabAtATime } from '../tabs/tab-coordination.ts';
import { AnsweredCalls, type OutboxRow, type StoredCall } from './answered-calls.ts';
import { nextCall } from './next-call.ts';
import type { CallInput, CallName } from './outbox-calls.ts';
import { PausedCalls } from './paused-calls.ts';

export type WaitingCall = {
  [N in CallName]: {
    name: N;
    input: CallInput<N>;
    at: number;
    label: string;
    /** Whether the server has answered, and the documents on this device may not show the effect yet. */
    isAnswered?: boolean;
  };
}[CallName];

export interface Outcome {
  call: WaitingCall;
  /** Its idempotency key. */
  key: string;
  /** The server's answer; null when there is none. */
  answer: unknown;
  /** Why the server will not do it; null when it did. */
  refusal: CallError | null;
}

type Calls = Readonly<Record<string, Endpoint | undefined>>;

const TIMEOUT_MS = 30_000;
/** So long the user can take back a call that can be undone. */
export const UNDO_MS = 7_000;
/** After this many internal errors, over at least `FAILING_FOR_MS`, a call is dropped so that it does not block the others. */
const INTERNAL_FAILURES_MAX = 8;
const FAILING_FOR_MS = 10 * 60 * 1000;
/** After this many failed reads of the stored calls, those of this tab are sent without the others. */
const READ_TRIES = 4;
/** So many refusals are remembered, for screens that ask a moment later. */
const REFUSED_MAX = 100;
/** Calls about changes of documents that the server must have first. */
const NEEDS_DOCUMENTS = new Set<string>(['messages.edit', 'messages.unsend'] satisfies CallName[]);
/** By the device's own clock. */
const waitedMs = ({ at }: StoredCall): number => Math.max(0, Date.now() - at);

/** A user's calls on their way to the server: stored on this device, and sent in order by one tab at a time. Decision 51. */
export class Outbox extends Store {
  readonly #documents: UserDocuments;
  readonly #kept: StoredRows<number>;
  readonly #sender = new Sender(() => this.#send(), 'Failed to send pending calls');
  readonly #channel: BroadcastChannel;
  readonly #outcomes = new Store<[outcome: Outcome]>();
  #rows: readonly OutboxRow[] = [];
  #shown: readonly WaitingCall[] = [];
  #waiting: readonly WaitingCall[] = [];
  /** Keys of sent calls, which a pending read or a failed removal must not bring back. */
  readonly #sentKeys = new Set<number>();
  /** Idempotency keys of answered calls, for the same reasons. */
  readonly #done = new Set<string>();
  /** Idempotency keys of the last calls that the server refused, also when another tab sent them. */
  readonly #refused = new Set<string>();
  readonly #answered: AnsweredCalls;
  #lastKey = 0;
  #isRead = false;
  /** How often in a row the stored calls could not be read. */
  #unreadable = 0;
  #reads = 0;
  #newestRead = 0;
  /** The last call with an internal error of the server, how often, and since when. */
  #failing = { key: '', times: 0, since: 0 };
  #connection = '';
  #wasConfirmed = false;
  #holding: ReturnType<typeof setTimeout> | undefined;
  readonly #paused = new PausedCalls(this.#sender.wake);

  constructor(documents: UserDocuments) {
    super();
    this.#documents = documents;
    this.#kept = new StoredRows(
      documents,
      'outbox',
      (key) => this.#rows.find((row) => row.key === key),
      () => this.#rows.map(({ key }) => key),
    );
    this.#answered = new AnsweredCalls(documents, () => this.#drop(this.#rows.filter(isAnswered)));
    this.#channel = new BroadcastChannel(`leashwise-outbox-${documents.userId}`);
    this.#channel.onmessage = ({ data }: MessageEvent<'changed' | { refused: string }>) => {
      if (data !== 'changed') return this.#noteRefused(data.refused);
      void this.#readIfPossible().then(this.#sender.wake);
    };
    documents.subscribe(this.#onDocuments);
    globalThis.addEventListener?.('online', this.#onOnline);
    globalThis.addEventListener?.('visibilitychange', this.#onHidden);
    globalThis.addEventListener?.('pagehide', this.#release);
    this.#sender.wake();
  }

  /** Returns the waiting calls, first to last: the same array until it changes. */
  readonly getWaiting = (): readonly WaitingCall[] => this.#waiting;

  /** The number of waiting calls; null until those of earlier starts have been read. */
  readonly getUnsentCount = (): number | null => (this.#isRead ? this.#waiting.length : null);

  /** Whether the server has not answered a call. @param key its idempotency key */
  isWaiting(key: string): boolean {
    return this.#rows.some((row) => row.idempotencyKey === key && !isAnswered(row));
  }

  /** Whether the server refused a call a moment ago. @param key its idempotency key */
  isRefused(key: string): boolean {
    return this.#refused.has(key);
  }

  /** Returns the calls that screens show as done: waiting ones, and answered ones without visible effect; the same array until it changes. */
  readonly getShownAsDone = (): readonly WaitingCall[] => this.#shown;

  /**
   * Receives the outcome of each call that this tab sent.
   * @returns how to unsubscribe
   */
  readonly onOutcome = this.#outcomes.subscribe;

  /**
   * Adds a call. Settles when it is stored, or in memory while the browser stores nothing.
   * @param heldMs how long it waits, so that the user can take it back
   * @returns its idempotency key
   * @throws when the documents are closed, as after logout
   */
  async add<N extends CallName>(
    name: N,
    input: CallInput<N>,
    label = '',
    heldMs = 0,
  ): Promise<string> {
    if (this.#documents.isClosed) throw new Error('No user is signed in');
    const at = Date.now();
    const held = heldMs > 0 && { heldUntil: at + heldMs };
    const call = { name, input, idempotencyKey: newId(), at, label, ...held };
    await this.#readIfPossible();
    // After the last one of all tabs. Another tab may add one at the same time.
    const last = this.#isRead ? this.#lastKey : Math.max(this.#lastKey, at);
    const key = last + 1 - Math.random();
    this.#setRows([...this.#rows, { ...call, key }]);
    await this.#kept.store(key);
    this.#channel.postMessage('changed');
    this.#sender.reset();
    this.#sender.wake();
    return call.idempotencyKey;
  }

  /** Removes a call that is still held. @returns whether it was, so that the server never gets it */
  async takeBack(idempotencyKey: string): Promise<boolean> {
    // Another tab may have sent it.
    await this.#readIfPossible();
    const row = this.#rows.find((each) => each.idempotencyKey === idempotencyKey);
    if (!row || heldMs(row) === 0) return false;
    await this.#remove(row);
    return true;
  }

  /** Reads the stored calls of all tabs. @throws when they can't be read */
  async #read(): Promise<void> {
    if (this.#documents.isClosed) return;
    const turn = ++this.#reads;
    const rows = await this.#kept.readNow<StoredCall>();
    if (this.#documents.isClosed || turn < this.#newestRead) return;
    this.#newestRead = turn;
    const stored = Array.from(rows, ([key, call]) => ({ ...call, key }));
    const own = this.#rows.filter(({ key }) => this.#kept.isWaiting(key));
    this.#setRows([...stored.filter(({ key }) => !this.#kept.isWaiting(key)), ...own]);
    this.#dropSeen();
    if (this.#isRead) return;
    this.#isRead = true;
    this.notify();
  }

  /** What can't be read is read again before the next attempt to send. */
  readonly #readIfPossible = (): Promise<void> => this.#read().catch(() => {});

  /** Earlier calls come first. But for those that can never be read, the ones of this tab don't wait for ever. @throws to try again */
  async #readToSend(): Promise<void> {
    try {
      await this.#read();
      this.#unreadable = 0;
    } catch (error) {
      if (++this.#unreadable < READ_TRIES) throw error;
    }
  }

  async #send(): Promise<void> {
    await this.#readToSend();
    if (this.#waiting.length === 0) return this.#requireRead();
    const calls = await loadCalls();
    if (!this.#next(calls)) return this.#requireRead();
    await oneTabAtATime(`outbox-${this.#documents.userId}`, async () => {
      await this.#readToSend();
      for (let next = this.#next(calls); next; next = this.#next(calls))
        await this.#sendOne(next, calls[next.name]);
    });
    this.#requireRead();
  }

  /** @throws when earlier calls could not be read, to try again */
  #requireRead(): void {
    if (!this.#isRead && !this.#documents.isClosed) throw new Error('Earlier calls are not read');
  }

  #next(calls: Calls): OutboxRow | undefined {
    if (isAnotherSignedIn(this.#documents.userId) || this.#documents.isClosed) return undefined;
    // An unknown name belongs to a newer version of the app, which will send the call.
    const known = this.#rows.filter((row) => calls[row.name] || waitedMs(row) > WAITED_MAX_MS);
    const { connection, isConfirmed } = this.#documents.getSyncState();
    const isSynced = connection === 'connected' && isConfirmed;
    return nextCall(
      known.filter((row) => !isAnswered(row)),
      (row) =>
        heldMs(row) > 0 || this.#paused.has(row) || (NEEDS_DOCUMENTS.has(row.name) && !isSynced),
    );
  }

  /** @throws when it should be tried again */
  async #sendOne(row: OutboxRow, endpoint: Endpoint | undefined): Promise<void> {
    const waited = waitedMs(row);
    let answer: unknown = null;
    let refusal: CallError | null = null;
    if (!endpoint) console.warn(`No call is named ${row.name}`);
    else if (waited > WAITED_MAX_MS)
      refusal = new CallError(row.input.failure ?? endpoint.failure, 0, 'too_old');
    else
      try {
        const { idempotencyKey, input } = row;
        const signal = AbortSignal.timeout(TIMEOUT_MS);
        const headers = { [WAITED_HEADER]: String(waited) };
        this.#answered.note(row);
        answer = await call(endpoint, { ...input, idempotencyKey, headers, signal });
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        if (isRateLimited(error)) return this.#paused.pauseName(row.name, error.retryAfter);
        if (error.code === NOT_YET) return this.#paused.pauseOne(row);
        if (!this.#isOver(error, row)) throw error;
        // Already removed, most likely by this call, whose answer was lost.
        if (endpoint.method !== 'DELETE' || error.status !== 404) refusal = error;
      }
    // Before other tabs hear that the call no longer waits.
    if (refusal) this.#noteRefused(row.idempotencyKey, true);
    if (refusal || !this.#answered.isAwaited(row)) await this.#remove(row);
    else await this.#noteDone(row);
    if (!endpoint) return;
    this.#outcomes.notify({ call: shownCall(row), key: row.idempotencyKey, answer, refusal });
  }

  #noteRefused(key: string, isOwn = false): void {
    if (isOwn && !this.#documents.isClosed) this.#channel.postMessage({ refused: key });
    this.#refused.add(key);
    for (const old of [...this.#refused].slice(0, -REFUSED_MAX)) this.#refused.delete(old);
  }

  #isOver(error: CallError, { idempotencyKey: key }: OutboxRow): boolean {
    if (isDefinitive(error)) return true;
    if (error.status !== 500) return false;
    if (this.#failing.key !== key) this.#failing = { key, times: 0, since: Date.now() };
    this.#failing.times += 1;
    const { times, since } = this.#failing;
    return times >= INTERNAL_FAILURES_MAX && Date.now() - since >= FAILING_FOR_MS;
  }

  async #noteDone(row: OutboxRow): Promise<void> {
    this.#done.add(row.idempotencyKey);
    this.#setRows(this.#rows);
    await this.#kept.store(row.key);
    if (!this.#documents.isClosed) this.#channel.postMessage('changed');
    this.#dropSeen();
  }

  #dropSeen(): void {
    this.#drop(this.#answered.seen(this.#rows.filter(isAnswered)));
  }

  #drop(rows: readonly OutboxRow[]): void {
    for (const row of rows) void this.#remove(row);
  }

  async #remove(row: OutboxRow): Promise<void> {
    this.#sentKeys.add(row.key);
    this.#setRows(this.#rows.filter(({ key }) => key !== row.key));
    await this.#kept.store(row.key);
    if (!this.#documents.isClosed) this.#channel.postMessage('changed');
  }

  #setRows(rows: readonly OutboxRow[]): void {
    const before = this.#rows;
    this.#rows = rows
      .filter(({ key }) => !this.#sentKeys.has(key))
      .map((row) => (this.#done.has(row.idempotencyKey) ? { ...row, isAnswered: true } : row));
    this.#rows = this.#rows.toSorted((a, b) => a.key - b.key);
    this.#lastKey = Math.max(this.#lastKey, ...this.#rows.map(({ key }) => key));
    if (before.map(stateOf).join() === this.#rows.map(stateOf).join()) return;
    this.#wakeForHeld();
    this.#shown = this.#rows.map(shownCall);
    this.#waiting = this.#shown.filter((call) => !call.isAnswered);
    this.notify();
  }

  /** Sends the held calls when nobody can take them back any more. */
  #wakeForHeld(): void {
    clearTimeout(this.#holding);
    const held = this.#rows.map(heldMs).filter((ms) => ms > 0);
    if (held.length === 0) return;
    const next = () => {
      this.#sender.wake();
      this.#wakeForHeld();
    };
    this.#holding = setTimeout(next, Math.min(...held) + 1);
  }

  readonly #onDocuments = () => {
    if (this.#documents.isClosed) return this.#close();
    this.#dropSeen();
    const { connection, isConfirmed } = this.#documents.getSyncState();
    if (isConfirmed && !this.#wasConfirmed) this.#sender.wake();
    this.#wasConfirmed = isConfirmed;
    if (connection === this.#connection) return;
    this.#connection = connection;
    // Only a new connection resets the wait: an unstable one must not hurry retries.
    if (connection === 'connected') this.#sender.reset();
    this.#sender.wake();
  };

  readonly #onOnline = () => {
    this.#sender.reset();
    this.#sender.wake();
  };

  readonly #onHidden = () => {
    if (document.visibilityState === 'hidden') this.#release();
  };

  /** Sends what is held: a page that is put away may end before the time to undo is over, and nobody can undo it there. */
  readonly #release = () => void this.#sendHeld();

  async #sendHeld(): Promise<void> {
    const held = this.#rows.filter((row) => heldMs(row) > 0);
    if (held.length === 0) return;
    this.#setRows(this.#rows.map((row) => (held.includes(row) ? { ...row, heldUntil: 0 } : row)));
    await Promise.all(held.map(({ key }) => this.#kept.store(key)));
    if (!this.#documents.isClosed) this.#channel.postMessage('changed');
    this.#sender.wake();
  }

  #close(): void {
    this.#sender.stop();
    this.#answered.stop();
    clearTimeout(this.#holding);
    this.#paused.stop();
    this.#channel.close();
    globalThis.removeEventListener?.('online', this.#onOnline);
    globalThis.removeEventListener?.('visibilitychange', this.#onHidden);
    globalThis.removeEventListener?.('pagehide', this.#release);
  }
}

/** How much longer a call is held. A clock that was put back doesn’t hold it longer. */
function heldMs({ heldUntil = 0 }: StoredCall): number {
  const left = heldUntil - Date.now();
  return left > 0 && left <= UNDO_MS ? left : 0;
}

const isAnswered = (call: StoredCall): boolean => call.isAnswered === true;

const stateOf = (call: StoredCall) => `${call.idempotencyKey} ${isAnswered(call)}`;

const shownCall = (call: StoredCall) => {
  const { name, input, at, label } = call;
  return { name, input, at, label, ...(isAnswered(call) && { isAnswered: true }) } as WaitingCall;
};

/** Loads the calls when there is one to send: their schemas take a phone longer than this file. */
const loadCalls = async (): Promise<Calls> => (await import('./outbox-calls.ts')).CALLS;

/** Returns the outbox of a user. */
export const outboxOf = oncePer((documents: UserDocuments) => new Outbox(documents));

/**
 * Makes a call as soon as there is a network, in order with earlier calls about the same subject, even if the app is closed
 * meanwhile. Settles when the call is stored on this device.
 * @param label describes its subject on screens that show waiting calls
 * @throws after logout
 */
export async function sendLater<N extends CallName>(
  documents: UserDocuments,
  name: N,
  input: CallInput<N>,
  label?: string,
): Promise<void> {
  await outboxOf(documents).add(name, input, label);
}

/**
 * The same for a call that the user can take back for a few seconds, on any screen.
 * @returns what takes it back, and says whether that was in time
 */
export async function sendUnlessUndone<N extends CallName>(
  documents: UserDocuments,
  name: N,
  input: CallInput<N>,
  label?: string,
): Promise<() => Promise<boolean>> {
  const outbox = outboxOf(documents);
  const key = await outbox.add(name, input, label, UNDO_MS);
  return () => outbox.takeBack(key);
}

/** Statuses after which another attempt may succeed. */
const TEMPORARY = new Set([401, 408, 425, 429]);

/** Whether the server will never accept the call. A proxy's error page does not count. */
const isDefinitive = (error: CallError): boolean =>
  isFromServer(error) &&
  error.status >= 400 &&
  error.status < 500 &&
  !TEMPORARY.has(error.status) &&
  !['no_access', 'suspended', STILL_RUNNING].includes(error.code);

/** Whether the server limits this call, and says until when. */
const isRateLimited = (error: CallError): error is CallError & { retryAfter: number } =>
  error.code === 'rate_limited' && error.retryAfter !== null;
