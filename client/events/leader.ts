/** What the tabs of a browser say to choose the one that leads. */
export type LeaderWord =
  /** A tab in sight would lead. */
  | { type: 'claim' }
  /** The leader is in sight itself, and keeps leading. */
  | { type: 'held' }
  /** The leader goes out of sight: whoever is in sight had better lead. */
  | { type: 'leaving' };

export interface LeaderPlatform {
  /** Null where the browser has no Web Locks: then every tab leads itself. */
  locks: Pick<LockManager, 'request'> | null;
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>;
  isVisible: () => boolean;
  /** @returns how to stop listening */
  onVisibility: (listener: () => void) => () => void;
}

const ANSWERS_WITHIN_MS = 300;

/**
 * Chooses the one tab that tracks, speaks and notifies. The first one leads until it closes; a tab that is
 * looked at takes over from one that is not, because phones put tabs out of sight to sleep.
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

  /** @param name of the lock that the leader holds */
  constructor(name: string, platform: LeaderPlatform, onChange: (leads: boolean) => void) {
    this.#name = name;
    this.#platform = platform;
    this.#onChange = onChange;
    platform.channel.addEventListener('message', this.#hear);
    this.#stopListening = platform.onVisibility(this.#look);
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

  /** Gives up leading, and waiting for it. */
  close(): void {
    this.#stopping.abort();
    clearTimeout(this.#claimTimer);
    this.#stopListening();
    this.#platform.channel.removeEventListener('message', this.#hear);
    this.#release();
    this.#become(false);
  }

  readonly #hear = (event: MessageEvent) => {
    const word = event.data as LeaderWord;
    if (word.type === 'claim' && this.#leads && this.#platform.isVisible())
      this.#platform.channel.postMessage({ type: 'held' } satisfies LeaderWord);
    if (word.type === 'held') clearTimeout(this.#claimTimer);
    if (word.type === 'leaving' && this.#platform.isVisible()) this.#claim();
  };

  readonly #look = () => {
    if (this.#platform.isVisible()) this.#claim();
    else if (this.#leads)
      this.#platform.channel.postMessage({ type: 'leaving' } satisfies LeaderWord);
  };

  #claim() {
    if (this.#leads || !this.#platform.locks) return;
    clearTimeout(this.#claimTimer);
    this.#platform.channel.postMessage({ type: 'claim' } satisfies LeaderWord);
    this.#claimTimer = setTimeout(() => {
      if (!this.#leads && this.#platform.isVisible()) void this.#hold({ steal: true });
    }, ANSWERS_WITHIN_MS);
  }

  #queueUp() {
    return this.#hold({ signal: this.#stopping.signal });
  }

  /** Leads for as long as the lock is held: until this tab closes, or another one takes it. */
  async #hold(how: LockOptions) {
    try {
      await this.#platform.locks?.request(this.#name, how, () => {
        if (this.#stopping.signal.aborted || this.#leads) return;
        this.#become(true);
        return new Promise<void>((resolve) => (this.#release = resolve));
      });
    } catch {
      if (this.#stopping.signal.aborted) return;
      this.#become(false);
      // Whoever stole still waits in the queue as well.
      if (!how.steal) void this.#queueUp();
      // It may be in sight again, if it slept until it heard of this.
      if (this.#platform.isVisible()) this.#claim();
    }
  }

  #become(leads: boolean) {
    if (this.#leads === leads) return;
    this.#leads = leads;
    this.#onChange(leads);
  }
}
