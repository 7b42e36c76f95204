import { type Endpoint, STILL_RUNNING } from '#shared/endpoint.ts';
import { WAITED_HEADER, WAITED_MAX_MS } from '#shared/deferred-calls.ts';
import { call } from '../../http/api.ts';
import { CallError } from '../../http/api-client.ts';
import type { UserDocuments } from '../documents/user-documents.ts';
import { rememberedUser } from '../../session/remembered-user.ts';
import { AnsweredCalls, OutboxStore, type OutboxRow, type StoredCall } from './outbox-store.ts';
import { oneTabAtATime } from '../tabs/tab-coordination.ts';
import type { CallInput, CallName } from './outbox-calls.ts';
import { Sender } from './retry.ts';
import { Store } from '../../store.ts';

export type WaitingCall = {
  [N in CallName]: {
    name: N;
    input: CallInput<N>;
    at: number;
    label: string;
    /** Whether it waits no more: the server has done it, and the contacts document on this device does not say so yet. */
    isAnswered?: boolean;
  };
}[CallName];

export interface Outcome {
  call: WaitingCall;
  /** The server's answer; null when there is none. */
  answer: unknown;
  /** Why the server will not do it; null when it did. */
  refusal: CallError | null;
}

type Calls = Readonly<Record<string, Endpoint | undefined>>;

const PATIENCE_MS = 30_000;
/** A server that fails at one call again and again, and for so long, must not hold up all that wait behind it. */
const INTERNAL_FAILURES_MAX = 8;
const FAILING_FOR_MS = 10 * 60 * 1000;
/** By the device's own clock. */
const waitedMs = ({ at }: StoredCall): number => Math.max(0, Date.now() - at);

/** One user's calls on their way to the server: kept on this device, sent in order, by one tab at a time. */
export class Outbox extends Store {
  private readonly documents: UserDocuments;
  private readonly store: OutboxStore;
  private readonly sender = new Sender(() => this.send(), 'Failed to send pending calls');
  private readonly channel: BroadcastChannel;
  private readonly outcomes = new Store<[outcome: Outcome]>();
  private rows: readonly OutboxRow[] = [];
  private shown: readonly WaitingCall[] = [];
  private waiting: readonly WaitingCall[] = [];
  /** What was sent: not to be brought back by a read on its way, nor by a browser that would not forget it. */
  private readonly gone = new Set<number>();
  /** By idempotency key, for the same reasons. */
  private readonly done = new Set<string>();
  private readonly answered: AnsweredCalls;
  private lastKey = 0;
  private reads = 0;
  private newestRead = 0;
  /** The call at which the server failed last, how often, and since when. */
  private failing = { key: '', times: 0, since: 0 };
  private connection = '';
  /** By name: calls that the server takes no more of for now. */
  private readonly held = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(documents: UserDocuments) {
    super();
    this.documents = documents;
    this.store = new OutboxStore(documents.database);
    this.answered = new AnsweredCalls(documents, () => this.drop(this.rows.filter(isAnswered)));
    this.channel = new BroadcastChannel(`leashwise-outbox-${documents.userId}`);
    this.channel.onmessage = () => void this.read().then(this.sender.wake);
    documents.subscribe(this.onDocuments);
    globalThis.addEventListener?.('online', this.onOnline);
    this.sender.wake();
  }

  /** What waits, first to last; the same array until it changes. */
  readonly getWaiting = (): readonly WaitingCall[] => this.waiting;

  /** What screens show as done: what waits, and what the contacts document does not say yet; the same array until it changes. */
  readonly getShownAsDone = (): readonly WaitingCall[] => this.shown;

  /**
   * Receives the outcome of each call that this tab sent.
   * @returns how to unsubscribe
   */
  readonly onOutcome = this.outcomes.subscribe;

  /**
   * Settles when the call is kept, in memory where the browser keeps nothing.
   * @throws when the documents are closed, as after logout
   */
  async add<N extends CallName>(name: N, input: CallInput<N>, label = ''): Promise<void> {
    if (this.documents.isClosed) throw new Error('Nobody is signed in');
    const row = { name, input, idempotencyKey: crypto.randomUUID(), at: Date.now(), label };
    const key = await this.store.add(row);
    if (key === null) this.setRows([...this.rows, { ...row, key: this.lastKey, isKept: false }]);
    else await this.read();
    this.channel.postMessage('changed');
    this.sender.reset();
    this.sender.wake();
  }

  /** Takes over what all tabs have kept. */
  private async read(): Promise<void> {
    if (this.documents.isClosed) return;
    const turn = ++this.reads;
    const kept = await this.store.readAll();
    if (!kept || this.documents.isClosed || turn < this.newestRead) return;
    this.newestRead = turn;
    this.setRows([...kept, ...this.rows.filter(({ isKept }) => !isKept)]);
    this.dropSeen();
  }

  private async send(): Promise<void> {
    await this.read();
    if (this.waiting.length === 0) return;
    const calls = await loadCalls();
    if (!this.next(calls)) return;
    await oneTabAtATime(`outbox-${this.documents.userId}`, 'wait', async () => {
      await this.read();
      for (let next = this.next(calls); next; next = this.next(calls))
        await this.sendOne(next, calls[next.name]);
    });
  }

  private next(calls: Calls): OutboxRow | undefined {
    // Another user signed in in another tab: the browser would send the call with that one's session.
    const remembered = rememberedUser();
    const isOurs = !remembered || remembered.id === this.documents.userId;
    if (!isOurs || this.documents.isClosed || !navigator.onLine) return undefined;
    // A name that is not known here is one of a newer version of the app, which has another tab or comes back.
    const known = this.rows.filter((row) => calls[row.name] || waitedMs(row) > WAITED_MAX_MS);
    return nextOf(
      known.filter((row) => !isAnswered(row)),
      ({ name }) => this.held.has(name),
    );
  }

  /** @throws when it should be tried again */
  private async sendOne(row: OutboxRow, endpoint: Endpoint | undefined): Promise<void> {
    const waited = waitedMs(row);
    let answer: unknown = null;
    let refusal: CallError | null = null;
    if (!endpoint) console.warn(`No call is named ${row.name}`);
    else if (waited > WAITED_MAX_MS)
      refusal = new CallError(row.input.failure ?? endpoint.failure, 0, 'too_old');
    else
      try {
        const { idempotencyKey, input } = row;
        const signal = AbortSignal.timeout(PATIENCE_MS);
        const headers = { [WAITED_HEADER]: String(waited) };
        this.answered.note(row);
        answer = await call(endpoint, { ...input, idempotencyKey, headers, signal });
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        if (isOfOneKind(error)) return this.hold(row.name, error.retryAfter);
        if (!this.isOver(error, row)) throw error;
        // What was to be removed is gone: most likely our own call, whose answer was lost.
        if (endpoint.method !== 'DELETE' || error.status !== 404) refusal = error;
      }
    if (refusal || !this.answered.isAwaited(row)) await this.remove(row);
    else await this.noteDone(row);
    if (!endpoint) return;
    this.outcomes.notify({ call: shownCall(row), answer, refusal });
  }

  /** One kind of call has its limit: the others have theirs, and need not wait for it. */
  private hold(name: string, seconds: number): void {
    const release = () => {
      this.held.delete(name);
      this.sender.wake();
    };
    this.held.set(name, setTimeout(release, seconds * 1_000));
  }

  private isOver(error: CallError, { idempotencyKey: key }: OutboxRow): boolean {
    if (isDefinitive(error)) return true;
    if (error.status !== 500) return false;
    if (this.failing.key !== key) this.failing = { key, times: 0, since: Date.now() };
    this.failing.times += 1;
    const { times, since } = this.failing;
    return times >= INTERNAL_FAILURES_MAX && Date.now() - since >= FAILING_FOR_MS;
  }

  private async noteDone(row: OutboxRow): Promise<void> {
    this.done.add(row.idempotencyKey);
    this.setRows(this.rows);
    await this.store.noteAnswered(row);
    if (!this.documents.isClosed) this.channel.postMessage('changed');
    this.dropSeen();
  }

  private dropSeen(): void {
    this.drop(this.answered.seen(this.rows.filter(isAnswered)));
  }

  private drop(rows: readonly OutboxRow[]): void {
    for (const row of rows) void this.remove(row);
  }

  private async remove(row: OutboxRow): Promise<void> {
    if (row.isKept) this.gone.add(row.key);
    this.setRows(this.rows.filter(({ idempotencyKey }) => idempotencyKey !== row.idempotencyKey));
    await this.store.remove(row);
    if (!this.documents.isClosed) this.channel.postMessage('changed');
  }

  private setRows(rows: readonly OutboxRow[]): void {
    const before = this.rows;
    this.rows = rows
      .filter(({ key, isKept }) => !isKept || !this.gone.has(key))
      .map((row) => (this.done.has(row.idempotencyKey) ? { ...row, isAnswered: true } : row));
    this.rows = this.rows.toSorted((a, b) => a.key - b.key || Number(b.isKept) - Number(a.isKept));
    this.lastKey = Math.max(this.lastKey, ...this.rows.map(({ key }) => key));
    if (before.map(stateOf).join() === this.rows.map(stateOf).join()) return;
    this.shown = this.rows.map(shownCall);
    this.waiting = this.shown.filter((call) => !call.isAnswered);
    this.notify();
  }

  private readonly onDocuments = () => {
    if (this.documents.isClosed) return this.close();
    this.dropSeen();
    const { connection } = this.documents.getSyncState();
    if (connection === this.connection) return;
    this.connection = connection;
    // A connection that comes and goes must not hurry what the api fails at.
    if (connection === 'connected') this.sender.reset();
    this.sender.wake();
  };

  private readonly onOnline = () => {
    this.sender.reset();
    this.sender.wake();
  };

  private close(): void {
    this.sender.stop();
    this.answered.stop();
    for (const timer of this.held.values()) clearTimeout(timer);
    this.channel.close();
    globalThis.removeEventListener?.('online', this.onOnline);
  }
}

const isAnswered = (call: StoredCall): boolean => call.isAnswered === true;

const stateOf = (call: StoredCall) => `${call.idempotencyKey} ${isAnswered(call)}`;

const shownCall = (call: StoredCall) => {
  const { name, input, at, label } = call;
  return { name, input, at, label, ...(isAnswered(call) && { isAnswered: true }) } as WaitingCall;
};

/** The calls themselves, once there is one to send: their schemas take a phone longer than all that is in this file. */
const loadCalls = async (): Promise<Calls> => (await import('./outbox-calls.ts')).CALLS;

const outboxes = new WeakMap<UserDocuments, Outbox>();

/** What one user's device still has to send. */
export function outboxOf(documents: UserDocuments): Outbox {
  let outbox = outboxes.get(documents);
  if (!outbox) outboxes.set(documents, (outbox = new Outbox(documents)));
  return outbox;
}

/**
 * Makes a call when there is a network, after all that were given before it about the same, however often the app is closed
 * until then. Settles when the call is kept on this device.
 * @param label what it is about, for screens that show what waits
 * @throws after logout
 */
export function sendLater<N extends CallName>(
  documents: UserDocuments,
  name: N,
  input: CallInput<N>,
  label?: string,
): Promise<void> {
  return outboxOf(documents).add(name, input, label);
}

/** The ids that a call names, in its path or its body. */
const idsIn = ({ input }: StoredCall): string[] =>
  Object.values(input)
    .flatMap((part: unknown) => Object.entries((part ?? {}) as Record<string, unknown>))
    .filter(([key, value]) => /id$/i.test(key) && typeof value === 'string')
    .map(([, value]) => value as string);

/**
 * Which call is to be sent: the first, or where that is held the first of those that may go before it. What names the same
 * person or thing keeps its order, so that no unblock overtakes its block.
 * @param rows first to last
 */
function nextOf<R extends StoredCall>(
  rows: readonly R[],
  isHeld: (row: R) => boolean,
): R | undefined {
  const passed = new Set<string>();
  return rows.find((row) => {
    const ids = idsIn(row);
    if (!isHeld(row) && !ids.some((id) => passed.has(id))) return true;
    for (const id of ids) passed.add(id);
    return false;
  });
}

/** Refusals that another moment may turn into an answer. */
const NOT_THE_LAST_WORD = new Set([401, 408, 425, 429]);

/** Whether the server will never do it, in our own words: a proxy's page is no refusal. */
const isDefinitive = ({ status, code }: CallError): boolean =>
  status >= 400 &&
  status < 500 &&
  !NOT_THE_LAST_WORD.has(status) &&
  !['failed', 'no_access', 'suspended', STILL_RUNNING].includes(code);

/** Whether more calls were made of this kind than the server takes, as it says itself and until when. */
const isOfOneKind = (error: CallError): error is CallError & { retryAfter: number } =>
  error.code === 'rate_limited' && error.retryAfter !== null;
