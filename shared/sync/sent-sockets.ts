import { WAITING_CONNECTIONS_MAX } from '../server/connections.ts';
import { handoverAnswer, type Handover, type SocketHandle } from './socket-handover.ts';

/** How many are on their way at a time. Each keeps a file open in the processes between, and its message in their memory. */
const UNDER_WAY_MAX = 256;
/** As long as balancers wait for a node that is silent. When many connect at once, the last ones wait longer. */
const SILENCE_MAX_MS = 5_000;

interface SentSocket {
  read: Omit<Handover, 'handover'>;
  handle: SocketHandle;
  /** Called once, with whether the other process has it now; null afterwards. */
  settle: ((isTaken: boolean) => void) | null;
  /** Called when neither this process nor its channel needs the handle any more. */
  release: () => void;
  /** Whether the channel still has it: a frozen process reads nothing. */
  isInChannel: boolean;
}

/**
 * The sockets that this process sends to another one, in order, until it has answered for them. What got lost, as where there are no free
 * files, is settled with the next answer; all are if there is none for 5 s. Decision 275.
 */
export class SentSockets {
  readonly #send: (message: Handover, handle: SocketHandle, done: () => void) => void;
  readonly #waiting = new Map<number, SentSocket>();
  #queue: number[] = [];
  readonly #underWay = new Set<SentSocket>();
  #last = 0;
  #silence: NodeJS.Timeout | undefined;
  #isSending = false;

  /** @param send sends one, and calls `done` when the channel has passed it on, with an error if it could not */
  constructor(
    send: (message: Handover, handle: SocketHandle, done: (error?: Error | null) => void) => void,
  ) {
    this.#send = (message, handle, done) =>
      send(message, handle, (error) => {
        if (error) this.#settle(message.handover, false);
        done();
      });
  }

  /**
   * Sends a socket when it is its turn.
   * @param settle is called with whether the other process has it now
   * @param release is called when its handle may be closed
   */
  add(
    read: Omit<Handover, 'handover'>,
    handle: SocketHandle,
    settle: (isTaken: boolean) => void,
    release = () => {},
  ): void {
    if (this.#waiting.size >= WAITING_CONNECTIONS_MAX) {
      settle(false);
      return release();
    }
    const id = ++this.#last;
    this.#waiting.set(id, { read, handle, settle, release, isInChannel: false });
    this.#queue.push(id);
    this.#silence ??= setTimeout(this.#settleAll, SILENCE_MAX_MS);
    this.#sendNext();
  }

  /** Takes a message of the other process, which may be an answer. */
  readonly onMessage = (message: unknown): void => {
    const answer = handoverAnswer.safeParse(message).data;
    if (!answer || !this.#waiting.has(answer.handover)) return;
    for (const id of this.#waiting.keys()) {
      this.#settle(id, id === answer.handover && answer.isTaken);
      if (id === answer.handover) break;
    }
    this.#watch();
    this.#sendNext();
  };

  /** The other process has ended, and its channel with it. */
  abandon(): void {
    this.#settleAll();
    for (const sent of this.#underWay) {
      sent.isInChannel = false;
      this.#review(sent);
    }
  }

  readonly #settleAll = (): void => {
    for (const id of this.#waiting.keys()) this.#settle(id, false);
    this.#queue = [];
    this.#watch();
  };

  #watch(): void {
    clearTimeout(this.#silence);
    this.#silence =
      this.#waiting.size > 0 ? setTimeout(this.#settleAll, SILENCE_MAX_MS) : undefined;
  }

  #settle(id: number, isTaken: boolean): void {
    const sent = this.#waiting.get(id);
    if (!sent) return;
    this.#waiting.delete(id);
    sent.settle?.(isTaken);
    sent.settle = null;
    this.#review(sent);
  }

  #sendNext(): void {
    // A channel may call back at once.
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#underWay.size < UNDER_WAY_MAX) {
      const id = this.#queue.shift();
      if (id === undefined) break;
      const sent = this.#waiting.get(id);
      if (!sent) continue;
      this.#underWay.add(sent);
      sent.isInChannel = true;
      this.#send({ ...sent.read, handover: id }, sent.handle, () => {
        sent.isInChannel = false;
        this.#review(sent);
        this.#sendNext();
      });
    }
    this.#isSending = false;
  }

  /** Lets go of one that is settled, and that the channel no longer has. */
  #review(sent: SentSocket): void {
    if (sent.settle || sent.isInChannel) return;
    this.#underWay.delete(sent);
    sent.release();
  }
}
