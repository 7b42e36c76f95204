/** The content of a toast. */
export interface PendingToast {
  id: string;
  title: string;
  description?: string;
  /** What the user wrote, to copy. */
  written?: string;
  isError: boolean;
}

type Message = { toast: PendingToast } | { notified: string };
type Page = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;

/** Shows each toast once, in the visible tab: it may originate in a tab that stays hidden for days. */
export class SingleTabToaster {
  readonly #channel: BroadcastChannel;
  readonly #display: (toast: PendingToast) => void;
  readonly #page: Page;
  readonly #pending = new Map<string, PendingToast>();

  constructor(userId: string, display: (toast: PendingToast) => void, page: Page = document) {
    this.#display = display;
    this.#page = page;
    this.#channel = new BroadcastChannel(`leashwise-notified-${userId}`);
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if ('notified' in data) this.#pending.delete(data.notified);
      else this.#pending.set(data.toast.id, data.toast);
      this.#displayIfVisible();
    };
    page.addEventListener('visibilitychange', this.#displayIfVisible);
  }

  /** Shows a toast here if this tab is visible, otherwise in the first tab that becomes visible. */
  show(toast: PendingToast): void {
    this.#pending.set(toast.id, toast);
    if (this.#page.visibilityState !== 'visible') this.#post({ toast });
    this.#displayIfVisible();
  }

  close(): void {
    this.#channel.close();
    this.#page.removeEventListener('visibilitychange', this.#displayIfVisible);
  }

  readonly #displayIfVisible = (): void => {
    if (this.#page.visibilityState !== 'visible') return;
    for (const toast of this.#pending.values()) {
      this.#post({ notified: toast.id });
      this.#display(toast);
    }
    this.#pending.clear();
  };

  #post(message: Message): void {
    this.#channel.postMessage(message);
  }
}
