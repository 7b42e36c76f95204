import type { ServerEvent } from '#shared/events/contract.ts';
import { Events } from './events.ts';
import { Leader, type LeaderWord } from './leader.ts';
import { Store } from '../store.ts';

type Word = LeaderWord | { type: 'event'; event: ServerEvent };

/** Longer than between two comments of the server: whoever comes back does not wait any longer. */
const QUIET_MS = 17_000;

/**
 * The one tab of a browser that tracks, speaks, notifies and receives GET /api/events, as each tab has it:
 * it leads, or hears from the one that does.
 */
export class LeadingTab {
  readonly #name: string;
  readonly #changes = new Store();
  readonly #received = new Store<[event: ServerEvent]>();
  #channel: BroadcastChannel | null = null;
  #leader: Leader | null = null;
  #events: Events | null = null;

  constructor(userId: string) {
    this.#name = `leashwise-leading-${userId}`;
  }

  get leads(): boolean {
    return this.#leader?.leads === true;
  }

  /**
   * Tells when this tab begins or ceases to lead.
   * @returns how to stop listening
   */
  readonly onLeads = this.#changes.subscribe;

  /**
   * Hears of every event, in every tab: only the one that leads is to make a noise about it.
   * @returns how to stop listening
   */
  readonly onEvent = this.#received.subscribe;

  /** Has the events come by another connection if nothing came by this one since then. */
  readonly mistrust = (silentSince: number): void => this.#events?.hurry(silentSince);

  start(): void {
    const channel = new BroadcastChannel(this.#name);
    this.#channel = channel;
    channel.addEventListener('message', this.#hear);
    addEventListener('online', this.#hurry);
    document.addEventListener('visibilitychange', this.#look);
    this.#leader = new Leader(
      this.#name,
      {
        locks: navigator.locks ?? null,
        channel,
        isVisible: () => document.visibilityState === 'visible',
        onVisibility: (listener) => {
          document.addEventListener('visibilitychange', listener);
          return () => document.removeEventListener('visibilitychange', listener);
        },
      },
      () => this.#arrange(),
    );
    // Without Web Locks it led before it was there to be asked.
    this.#arrange();
  }

  stop(): void {
    this.#leader?.close();
    this.#leader = null;
    this.#arrange();
    removeEventListener('online', this.#hurry);
    document.removeEventListener('visibilitychange', this.#look);
    this.#channel?.close();
    this.#channel = null;
  }

  #arrange() {
    if (this.leads) this.#events ??= new Events({ onEvent: this.#receive });
    else {
      this.#events?.close();
      this.#events = null;
    }
    this.#changes.notify();
  }

  readonly #receive = (event: ServerEvent) => {
    this.#channel?.postMessage({ type: 'event', event } satisfies Word);
    this.#received.notify(event);
  };

  readonly #hear = ({ data }: MessageEvent<Word>) => {
    if (data.type === 'event' && !this.leads) this.#received.notify(data.event);
  };

  readonly #hurry = () => this.#events?.hurry(Infinity);

  readonly #look = () => {
    if (document.visibilityState === 'visible') this.mistrust(Date.now() - QUIET_MS);
  };
}
