import type { ServerEvent } from '#shared/events/contract.ts';
import { dropEarly } from '../http/early-answers.ts';
import { Store } from '../store.ts';
import { Events } from './events.ts';
import { Leader, type LeaderMessage } from './leader.ts';

type Message = LeaderMessage | { type: 'event'; event: ServerEvent };

/** Slightly longer than the interval of the server's comments; after a longer silence, a tab that becomes visible reconnects. */
const QUIET_MS = 17_000;

/**
 * One tab of a browser leads: it tracks, speaks, notifies and receives GET /api/events. The others receive
 * its events over a BroadcastChannel.
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
   * Subscribes to changes of `leads`.
   * @returns how to unsubscribe
   */
  readonly onLeads = this.#changes.subscribe;

  /**
   * Subscribes to all events, in every tab. Only the leading tab should play sounds for them.
   * @returns how to unsubscribe
   */
  readonly onEvent = this.#received.subscribe;

  /** Reconnects the event stream if nothing was received since then. */
  readonly mistrust = (silentSince: number): void => this.#events?.hurry(silentSince);

  start(): void {
    const channel = new BroadcastChannel(this.#name);
    this.#channel = channel;
    channel.addEventListener('message', this.#onMessage);
    addEventListener('online', this.#hurry);
    document.addEventListener('visibilitychange', this.#onVisibilityChange);
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
      () => this.#update(),
    );
    // Without Web Locks, the callback ran inside the constructor, before #leader was set.
    this.#update();
  }

  stop(): void {
    this.#leader?.close();
    this.#leader = null;
    this.#update();
    removeEventListener('online', this.#hurry);
    document.removeEventListener('visibilitychange', this.#onVisibilityChange);
    this.#channel?.close();
    this.#channel = null;
  }

  #update() {
    if (this.leads) this.#events ??= new Events({ onEvent: this.#receive });
    else {
      this.#events?.close();
      this.#events = null;
    }
    this.#changes.notify();
  }

  readonly #receive = (event: ServerEvent) => {
    this.#channel?.postMessage({ type: 'event', event } satisfies Message);
    this.#notify(event);
  };

  #notify(event: ServerEvent) {
    dropEarly();
    this.#received.notify(event);
  }

  readonly #onMessage = ({ data }: MessageEvent<Message>) => {
    if (data.type === 'event' && !this.leads) this.#notify(data.event);
  };

  readonly #hurry = () => this.#events?.hurry(Infinity);

  readonly #onVisibilityChange = () => {
    if (document.visibilityState === 'visible') this.mistrust(Date.now() - QUIET_MS);
  };
}
