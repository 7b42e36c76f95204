import type { DocHandle } from '@automerge/automerge-repo/slim';
import { z } from 'zod';

/** What devices of friends say to each other about themselves. It passes by: nothing of it is kept anywhere. */
const word = z.object({
  /** `ask` wants an answer from a device that is looked at. */
  type: z.enum(['ask', 'here', 'away']),
  typing: z.boolean().default(false),
});
type Word = z.input<typeof word>;

/** Whoever has a thread open asks this often, and believes an answer for somewhat longer. */
const ASK_EVERY_MS = 20_000;
/** A segment that has just been opened may not be connected yet, and what is said then is lost. */
const ASK_SOON_MS = [1_000, 4_000];
const HERE_FOR_MS = 45_000;
const TYPING_FOR_MS = 6_000;
/** Typing is told again this often while it goes on. */
const TELL_TYPING_EVERY_MS = 3_000;

type Timer = ReturnType<typeof setTimeout>;

const isSeen = () => document.visibilityState === 'visible';

/** Whether a friend is there and typing, as their devices say on their segment of a thread; and what ours say on our own. */
export class Presence {
  private readonly onChange: () => void;
  private mine: DocHandle<unknown> | null = null;
  private theirs: DocHandle<unknown> | null = null;
  private watchers = 0;
  private asking: ReturnType<typeof setInterval> | undefined;
  private soon: Timer[] = [];
  /** The friend's devices that are there, each by its own word: what ends that, and what ends its typing. */
  private readonly devices = new Map<string, { leaving: Timer; pausing: Timer | null }>();
  private toldTypingAt = 0;
  isOnline = false;
  isTyping = false;

  constructor(onChange: () => void) {
    this.onChange = onChange;
  }

  /** Speaks on one's own segment and listens on the friend's: the newest ones. */
  use(mine: DocHandle<unknown>, theirs: DocHandle<unknown>): void {
    this.mine = mine;
    if (this.theirs === theirs) return;
    this.theirs?.off('ephemeral-message', this.hear);
    this.theirs = theirs;
    theirs.on('ephemeral-message', this.hear);
    if (this.watchers > 0) this.say({ type: 'ask' });
  }

  /**
   * Wants to know, for as long as a screen shows it.
   * @returns how to stop
   */
  watch(): () => void {
    if (this.watchers++ === 0) {
      this.ask();
      this.asking = setInterval(this.ask, ASK_EVERY_MS);
      this.soon = ASK_SOON_MS.map((ms) => setTimeout(this.ask, ms));
      document.addEventListener('visibilitychange', this.look);
    }
    return () => {
      if (--this.watchers > 0) return;
      this.stopAsking();
    };
  }

  /** Tells that the owner types, or has stopped. */
  type(isOn: boolean): void {
    const now = Date.now();
    if (isOn && now - this.toldTypingAt < TELL_TYPING_EVERY_MS) return;
    if (!isOn && this.toldTypingAt === 0) return;
    this.toldTypingAt = isOn ? now : 0;
    this.say({ type: 'here', typing: isOn });
  }

  close(): void {
    this.theirs?.off('ephemeral-message', this.hear);
    this.mine = null;
    this.theirs = null;
    this.stopAsking();
    for (const device of this.devices.keys()) this.forget(device);
    this.become();
  }

  private stopAsking(): void {
    clearInterval(this.asking);
    for (const timer of this.soon) clearTimeout(timer);
    document.removeEventListener('visibilitychange', this.look);
  }

  private readonly ask = () => {
    if (isSeen()) this.say({ type: 'ask' });
  };

  private readonly look = () => this.say({ type: isSeen() ? 'ask' : 'away' });

  private say(said: Word): void {
    // Whoever answers in the midst of a word is still typing.
    const typing = said.type !== 'away' && Date.now() - this.toldTypingAt < TYPING_FOR_MS;
    if (this.mine?.isReady()) this.mine.broadcast({ typing, ...said });
  }

  private readonly hear = ({ senderId, message }: { senderId: string; message: unknown }) => {
    const heard = word.safeParse(message);
    if (!heard.success) return;
    const { type, typing } = heard.data;
    this.forget(senderId);
    if (type !== 'away') this.note(senderId, typing);
    this.become();
    if (type === 'ask' && isSeen()) this.say({ type: 'here' });
  };

  private note(device: string, isTyping: boolean): void {
    const leave = () => {
      this.forget(device);
      this.become();
    };
    const pause = () => {
      const known = this.devices.get(device);
      if (known) known.pausing = null;
      this.become();
    };
    this.devices.set(device, {
      leaving: setTimeout(leave, HERE_FOR_MS),
      pausing: isTyping ? setTimeout(pause, TYPING_FOR_MS) : null,
    });
  }

  private forget(device: string): void {
    const { leaving, pausing } = this.devices.get(device) ?? {};
    clearTimeout(leaving);
    clearTimeout(pausing ?? undefined);
    this.devices.delete(device);
  }

  /** The friend is there, or types, while any of their devices says so. */
  private become(): void {
    const isOnline = this.devices.size > 0;
    const isTyping = [...this.devices.values()].some(({ pausing }) => pausing !== null);
    if (this.isOnline === isOnline && this.isTyping === isTyping) return;
    Object.assign(this, { isOnline, isTyping });
    this.onChange();
  }
}
