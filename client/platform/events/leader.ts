/** Messages between the tabs of a browser to elect the leader. */
export type LeaderMessage =
  /** A visible tab wants to lead. */
  | { type: 'claim' }
  /** The leader is visible, too, and stays leader. */
  | { type: 'denied' }
  /** The leader is no longer visible: a visible tab should take over. */
  | { type: 'leaving' };

export interface LeaderPlatform {
  /** Null if the browser has no Web Locks: then every tab leads. */
  locks: Pick<LockManager, 'request'> | null;
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>;
  isVisible: () => boolean;
  /** @returns how to unsubscribe */
  onVisibility: (listener: () => void) => () => void;
}

const ANSWERS_WITHIN_MS = 300;

/**
 * Elects the one tab that tracks, speaks and notifies. The first one leads until it closes; a visible tab takes
 * over from a hidden one, because phones suspend hidden tabs.
 */
export class Leader {
  readonly #name: string;
  readonly #platform: LeaderPlatform;
  readonly #onChange: (leads: boolean) => void;
  readonly #stopping = new AbortController();
  readonly #stopListening: () => void;
  #leads = false;
  #release: () => void = () => {};
  #claimTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param name of the leader's lock */
  constructor(name: string, platform: LeaderPlatform, onChange: (leads: boolean) => void) {
    this.#name = name;
    this.#platform = platform;
    this.#onChange = onChange;
    platform.channel.addEventListener('message', this.#onMessage);
    this.#stopListening = platform.onVisibility(this.#onVisibilityChange);
    if (!platform.locks) {
      this.#become(true);
      return;
    }
    void this.#queueUp();
    if (platform.isVisible()) this.#claim();
  }

  get leads(): boolean {
    return this.#leads;
  }

  /** Stops leading or waiting to lead. */
  close(): void {
    this.#stopping.abort();
    clearTimeout(this.#claimTimer);
    this.#stopListening();
    this.#platform.channel.removeEventListener('message', this.#onMessage);
    this.#release();
    this.#become(false);
  }

  readonly #onMessage = (event: MessageEvent) => {
    const message = event.data as LeaderMessage;
    if (message.type === 'claim' && this.#leads && this.#platform.isVisible())
      this.#platform.channel.postMessage({ type: 'denied' } satisfies LeaderMessage);
    if (message.type === 'denied') clearTimeout(this.#claimTimer);
    if (message.type === 'leaving' && this.#platform.isVisible()) this.#claim();
  };

  readonly #onVisibilityChange = () => {
    if (this.#platform.isVisible()) this.#claim();
    else if (this.#leads)
      this.#platform.channel.postMessage({ type: 'leaving' } satisfies LeaderMessage);
  };

  #claim() {
    if (this.#leads || !this.#platform.locks) return;
    clearTimeout(this.#claimTimer);
    this.#platform.channel.postMessage({ type: 'claim' } satisfies LeaderMessage);
    this.#claimTimer = setTimeout(() => {
      if (!this.#leads && this.#platform.isVisible()) void this.#requestLock({ steal: true });
    }, ANSWERS_WITHIN_MS);
  }

  #queueUp() {
    return this.#requestLock({ signal: this.#stopping.signal });
  }

  /** Leads while this tab has the lock: until it closes or another tab steals the lock. */
  async #requestLock(how: LockOptions) {
    let wasGranted = false;
    try {
      await this.#platform.locks?.request(this.#name, how, () => {
        wasGranted = true;
        if (this.#stopping.signal.aborted || this.#leads) return;
        this.#become(true);
        return new Promise<void>((resolve) => (this.#release = resolve));
      });
    } catch {
      if (this.#stopping.signal.aborted) return;
      // WebKit refuses every request of a page that is being left. Repeating one at once would never end, and the page would hang.
      if (!wasGranted) return;
      this.#become(false);
      // A tab that stole the lock is still waiting in the queue from before.
      if (!how.steal) void this.#queueUp();
      // A suspended tab may be visible again by the time it notices the loss.
      if (this.#platform.isVisible()) this.#claim();
    }
  }

  #become(leads: boolean) {
    if (this.#leads === leads) return;
    this.#leads = leads;
    this.#onChange(leads);
  }
}
