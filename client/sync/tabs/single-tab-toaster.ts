/** What a toast says. */
export interface PendingToast {
  id: string;
  title: string;
  description?: string;
  isError: boolean;
}

type Message = { toast: PendingToast } | { notified: string };
type Page = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;

/** Tells a person something once, in the tab that they look at: what comes of it may have come in one that nobody sees for days. */
export class SingleTabToaster {
  private readonly channel: BroadcastChannel;
  private readonly say: (toast: PendingToast) => void;
  private readonly page: Page;
  private readonly pending = new Map<string, PendingToast>();

  constructor(userId: string, say: (toast: PendingToast) => void, page: Page = document) {
    this.say = say;
    this.page = page;
    this.channel = new BroadcastChannel(`leashwise-notified-${userId}`);
    this.channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if ('notified' in data) this.pending.delete(data.notified);
      else this.pending.set(data.toast.id, data.toast);
      this.sayIfSeen();
    };
    page.addEventListener('visibilitychange', this.sayIfSeen);
  }

  /** Says it here if this tab is looked at, else in the first of all tabs that is. */
  tell(toast: PendingToast): void {
    this.pending.set(toast.id, toast);
    if (this.page.visibilityState !== 'visible') this.post({ toast });
    this.sayIfSeen();
  }

  close(): void {
    this.channel.close();
    this.page.removeEventListener('visibilitychange', this.sayIfSeen);
  }

  private readonly sayIfSeen = (): void => {
    if (this.page.visibilityState !== 'visible') return;
    for (const toast of this.pending.values()) {
      this.post({ notified: toast.id });
      this.say(toast);
    }
    this.pending.clear();
  };

  private post(message: Message): void {
    this.channel.postMessage(message);
  }
}
