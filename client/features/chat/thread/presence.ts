import type { DocHandle } from '@automerge/automerge-repo/slim';
import { z } from 'zod';

/** A message between devices of friends, sent over the sync connection and stored nowhere. */
const presenceMessage = z.object({
  /** `ask` asks devices in use to answer `here`. */
  type: z.enum(['ask', 'here', 'away']),
  typing: z.boolean().default(false),
});
type PresenceMessage = z.input<typeof presenceMessage>;

/** An open thread asks this often; an answer is valid for longer. */
const ASK_EVERY_MS = 20_000;
/** A segment that was just opened may not be synchronized yet, and messages on it are lost. */
const ASK_SOON_MS = [1_000, 4_000];
const HERE_FOR_MS = 45_000;
const TYPING_FOR_MS = 6_000;
/** While the user types, this is sent again this often. */
const SEND_TYPING_EVERY_MS = 3_000;

type Timer = ReturnType<typeof setTimeout>;

const isSeen = () => document.visibilityState === 'visible';

/** Whether a friend is online and typing, as their devices report on their segment of a thread. Ours report on our own. */
export class Presence {
  readonly #onChange: () => void;
  #mine: DocHandle<unknown> | null = null;
  #theirs: DocHandle<unknown> | null = null;
  #watchers = 0;
  #asking: ReturnType<typeof setInterval> | undefined;
  #soon: Timer[] = [];
  /** The friend's online devices, with the timers that end being online and typing. */
  readonly #devices = new Map<string, { leaving: Timer; pausing: Timer | null }>();
  #sentTypingAt = 0;
  isOnline = false;
  isTyping = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Sets the newest segments: sends on the own one and listens on the friend's. */
  use(mine: DocHandle<unknown>, theirs: DocHandle<unknown>): void {
    this.#mine = mine;
    if (this.#theirs === theirs) return;
    this.#theirs?.off('ephemeral-message', this.#onMessage);
    this.#theirs = theirs;
    theirs.on('ephemeral-message', this.#onMessage);
    if (this.#watchers > 0) this.#send({ type: 'ask' });
  }

  /**
   * Asks for the friend's presence as long as a screen shows it.
   * @returns how to stop
   */
  watch(): () => void {
    if (this.#watchers++ === 0) {
      this.#ask();
      this.#asking = setInterval(this.#ask, ASK_EVERY_MS);
      this.#soon = ASK_SOON_MS.map((ms) => setTimeout(this.#ask, ms));
      document.addEventListener('visibilitychange', this.#look);
    }
    return () => {
      if (--this.#watchers > 0) return;
      this.#stopAsking();
    };
  }

  /** Reports that the user types, or has stopped. */
  type(isOn: boolean): void {
    const now = Date.now();
    if (isOn && now - this.#sentTypingAt < SEND_TYPING_EVERY_MS) return;
    if (!isOn && this.#sentTypingAt === 0) return;
    this.#sentTypingAt = isOn ? now : 0;
    this.#send({ type: 'here', typing: isOn });
  }

  close(): void {
    this.#theirs?.off('ephemeral-message', this.#onMessage);
    this.#mine = null;
    this.#theirs = null;
    this.#stopAsking();
    for (const device of this.#devices.keys()) this.#forget(device);
    this.#update();
  }

  #stopAsking(): void {
    clearInterval(this.#asking);
    for (const timer of this.#soon) clearTimeout(timer);
    document.removeEventListener('visibilitychange', this.#look);
  }

  readonly #ask = () => {
    if (isSeen()) this.#send({ type: 'ask' });
  };

  readonly #look = () => this.#send({ type: isSeen() ? 'ask' : 'away' });

  #send(message: PresenceMessage): void {
    // An answer in between must not end the typing state.
    const typing = message.type !== 'away' && Date.now() - this.#sentTypingAt < TYPING_FOR_MS;
    if (this.#mine?.isReady()) this.#mine.broadcast({ typing, ...message });
  }

  readonly #onMessage = ({ senderId, message }: { senderId: string; message: unknown }) => {
    const parsed = presenceMessage.safeParse(message);
    if (!parsed.success) return;
    const { type, typing } = parsed.data;
    this.#forget(senderId);
    if (type !== 'away') this.#note(senderId, typing);
    this.#update();
    if (type === 'ask' && isSeen()) this.#send({ type: 'here' });
  };

  #note(device: string, isTyping: boolean): void {
    const leave = () => {
      this.#forget(device);
      this.#update();
    };
    const pause = () => {
      const known = this.#devices.get(device);
      if (known) known.pausing = null;
      this.#update();
    };
    this.#devices.set(device, {
      leaving: setTimeout(leave, HERE_FOR_MS),
      pausing: isTyping ? setTimeout(pause, TYPING_FOR_MS) : null,
    });
  }

  #forget(device: string): void {
    const { leaving, pausing } = this.#devices.get(device) ?? {};
    clearTimeout(leaving);
    clearTimeout(pausing ?? undefined);
    this.#devices.delete(device);
  }

  /** Combines the devices: the friend is online or typing while any device is. */
  #update(): void {
    const isOnline = this.#devices.size > 0;
    const isTyping = [...this.#devices.values()].some(({ pausing }) => pausing !== null);
    if (this.isOnline === isOnline && this.isTyping === isTyping) return;
    Object.assign(this, { isOnline, isTyping });
    this.#onChange();
  }
}
