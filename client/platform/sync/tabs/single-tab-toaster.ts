import { z } from 'zod';
import { readCache, writeCache } from '../../local-cache.ts';

const pendingToast = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().exactOptional(),
  /** What the user wrote, to copy. */
  written: z.string().exactOptional(),
  isError: z.boolean(),
});
/** The content of a toast. */
export type PendingToast = z.infer<typeof pendingToast>;

const NAME = 'toasts';
/** So many are stored, the last ones. */
const STORED_MAX = 20;

type Message = { toast: PendingToast } | { notified: string };
type Page = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;

/** Shows each toast once, in the visible tab: it may originate in a tab that stays hidden for days, or that the system ends. */
export class SingleTabToaster {
  readonly #userId: string;
  readonly #channel: BroadcastChannel;
  readonly #display: (toast: PendingToast) => void;
  readonly #page: Page;
  readonly #pending = new Map<string, PendingToast>();
  readonly #mounting: ReturnType<typeof setTimeout>;

  constructor(userId: string, display: (toast: PendingToast) => void, page: Page = document) {
    this.#userId = userId;
    this.#display = display;
    this.#page = page;
    this.#channel = new BroadcastChannel(`leashwise-notified-${userId}`);
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if ('notified' in data) this.#pending.delete(data.notified);
      else this.#pending.set(data.toast.id, data.toast);
      this.#displayIfVisible();
    };
    page.addEventListener('visibilitychange', this.#displayIfVisible);
    for (const toast of readCache(z.array(pendingToast), userId, NAME) ?? [])
      this.#pending.set(toast.id, toast);
    // What shows toasts is mounted by then.
    this.#mounting = setTimeout(this.#displayIfVisible);
  }

  /** Shows a toast here if this tab is visible, otherwise in the first tab that becomes visible. */
  show(toast: PendingToast): void {
    this.#pending.set(toast.id, toast);
    if (this.#page.visibilityState !== 'visible') {
      this.#post({ toast });
      this.#store();
    }
    this.#displayIfVisible();
  }

  close(): void {
    clearTimeout(this.#mounting);
    this.#channel.close();
    this.#page.removeEventListener('visibilitychange', this.#displayIfVisible);
  }

  readonly #displayIfVisible = (): void => {
    if (this.#page.visibilityState !== 'visible' || this.#pending.size === 0) return;
    for (const toast of this.#pending.values()) {
      this.#post({ notified: toast.id });
      this.#display(toast);
    }
    this.#pending.clear();
    this.#store();
  };

  #store(): void {
    const toasts = [...this.#pending.values()].slice(-STORED_MAX);
    writeCache(this.#userId, NAME, toasts.length > 0 ? toasts : null);
  }

  #post(message: Message): void {
    this.#channel.postMessage(message);
  }
}
