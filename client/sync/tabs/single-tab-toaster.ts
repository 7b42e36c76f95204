/** What a toast says. */
export interface PendingToast {
  id: string;
  title: string;
  description?: string;
  isError: boolean;
}

type Message = { toTell: PendingToast } | { told: string };
type Page = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;

/** Tells a person something once, in the tab that they look at: what comes of it may have come in one that nobody sees for days. */
export class SingleTabToaster {
  private readonly channel: BroadcastChannel;
  private readonly say: (told: PendingToast) => void;
  private readonly page: Page;
  private readonly untold = new Map<string, PendingToast>();

  constructor(userId: string, say: (told: PendingToast) => void, page: Page = document) {
    this.say = say;
    this.page = page;
    this.channel = new BroadcastChannel(`leashwise-told-${userId}`);
    this.channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if ('told' in data) this.untold.delete(data.told);
      else this.untold.set(data.toTell.id, data.toTell);
      this.sayIfSeen();
    };
    page.addEventListener('visibilitychange', this.sayIfSeen);
  }

  /** Says it here if this tab is looked at, else in the first of all tabs that is. */
  tell(told: PendingToast): void {
    this.untold.set(told.id, told);
    if (this.page.visibilityState !== 'visible') this.post({ toTell: told });
    this.sayIfSeen();
  }

  close(): void {
    this.channel.close();
    this.page.removeEventListener('visibilitychange', this.sayIfSeen);
  }

  private readonly sayIfSeen = (): void => {
    if (this.page.visibilityState !== 'visible') return;
    for (const told of this.untold.values()) {
      this.post({ told: told.id });
      this.say(told);
    }
    this.untold.clear();
  };

  private post(message: Message): void {
    this.channel.postMessage(message);
  }
}
