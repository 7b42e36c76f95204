import type { DeviceIndex, Person } from './script.ts';

/** Why something need not arrive whose removal may be lost. */
export const PERHAPS = 'perhaps removed';

/** Something that a person wrote on a device, with all that happened to it. */
export interface Intent {
  kind: 'message' | 'dog';
  /** A unique text. */
  text: string;
  by: Person;
  device: DeviceIndex;
  /** Whether it has a picture that must arrive, too. */
  hasPhoto: boolean;
  /** In ms. */
  at: number;
  /** Whether the server had it when a backup was restored. */
  hasArrived: boolean;
  /** Why it need not arrive; null if it must. */
  excuse: string | null;
  /** Whether its author or a moderator asked to remove it. */
  isRemoved: boolean;
  /** Where and when its author asked for that; null if nobody did, or a moderator. */
  removal: { device: DeviceIndex; at: number } | null;
  /** What it was before its author edited it; null if they wrote it. */
  former: Intent | null;
}

/** Something that a person typed on a device without sending it. */
interface Typed {
  text: string;
  device: DeviceIndex;
  /** Whether the device has been offline since: then, nothing that others typed meanwhile replaces it. */
  isApart: boolean;
}

/** Everything that was written in a history, and what Bob read. */
export class Intents {
  readonly all: Intent[] = [];
  /** The texts that were on Bob's screen. */
  readonly read = new Set<string>();
  /** The last text that each person typed without sending it; of each device, if they were offline. */
  readonly typed = new Map<Person, Typed[]>();
  readonly #storedWithinMs: number;

  /** @param storedWithinMs the app may be killed before the browser has stored what was written less than this time ago */
  constructor(storedWithinMs: number) {
    this.#storedWithinMs = storedWithinMs;
  }

  /** Whether the browser may not have stored something yet. @param at in ms */
  isFresh = ({ at }: { at: number }): boolean => Date.now() - at < this.#storedWithinMs;

  /** @param excuse why it need not arrive */
  add(
    kind: Intent['kind'],
    text: string,
    by: Person,
    device: DeviceIndex,
    excuse: string | null = null,
  ): Intent {
    const intent: Intent = {
      kind,
      text,
      by,
      device,
      hasPhoto: false,
      at: Date.now(),
      hasArrived: false,
      excuse,
      isRemoved: false,
      removal: null,
      former: null,
    };
    this.all.push(intent);
    return intent;
  }

  addTyped(by: Person, typed: Typed): void {
    const kept = (this.typed.get(by) ?? []).filter(
      ({ device, isApart }) => typed.isApart && isApart && device !== typed.device,
    );
    this.typed.set(by, [...kept, typed]);
  }

  /** A device is online: what is typed elsewhere from now on may replace what was typed on it. */
  heard(device: DeviceIndex): void {
    for (const typed of [...this.typed.values()].flat())
      if (typed.device === device) typed.isApart = false;
  }

  /**
   * Notes that a person edits what they wrote. If it is also removed, or edited elsewhere, the server decides which comes first.
   * @returns takes it back
   */
  edit(intent: Intent, text: string, device: DeviceIndex): () => void {
    const { isRemoved, removal, hasPhoto } = intent;
    const excuse = intent.excuse ?? (isRemoved ? PERHAPS : null);
    if (isRemoved) this.#mayBeRemoved(intent);
    const next = this.add('message', text, intent.by, device, excuse);
    next.hasPhoto = hasPhoto;
    next.former = intent;
    intent.isRemoved = true;
    intent.removal = { device, at: next.at };
    return () => {
      Object.assign(intent, { isRemoved, removal });
      this.all.splice(this.all.indexOf(next), 1);
    };
  }

  /** The server has refused edits that were made on a device: it says so, and shows the messages as they were. */
  editsRefused(device: DeviceIndex): void {
    for (const next of this.all) {
      const { former } = next;
      if (former?.removal?.device !== device || former.removal.at !== next.at) continue;
      next.excuse ??= PERHAPS;
      this.#mayStay(former);
    }
  }

  /** Somebody asked to remove a message, which its author may have edited since. */
  remove(intent: Intent): void {
    intent.isRemoved = true;
    this.#mayBeRemoved(intent);
  }

  #mayBeRemoved(intent: Intent): void {
    for (const next of this.all.filter(({ former }) => former === intent)) {
      next.excuse ??= PERHAPS;
      this.#mayBeRemoved(next);
    }
  }

  find(text: string): Intent | undefined {
    return this.all.find((intent) => intent.text === text);
  }

  /** The app on a device was killed: what was just written may be lost. */
  killed(device: DeviceIndex): void {
    this.#excuse('killed at once', (intent) => intent.device === device && this.isFresh(intent));
  }

  /** A device said that it can't store what was written on it since a time, and does not have it any more. */
  unstored(device: DeviceIndex, since: number): void {
    this.#excuse('not stored', (intent) => intent.device === device && intent.at >= since);
    this.#mayReturn(device, since);
  }

  /** A device lost its storage. */
  lost(device: DeviceIndex): void {
    this.#excuse('lost storage', (intent) => intent.device === device);
    this.#mayReturn(device, 0);
  }

  /** A session ended before its device knew that a backup was restored: it keeps only what the server never had. */
  signedOut(device: DeviceIndex): void {
    this.#excuse('signed out', (intent) => intent.device === device && intent.hasArrived);
    this.#mayReturn(device, 0);
  }

  /** A device may not have sent the removals of after a time. */
  #mayReturn(device: DeviceIndex, since: number): void {
    for (const intent of this.all)
      if (intent.removal?.device === device && intent.removal.at >= since) this.#mayStay(intent);
  }

  /** A removal may not happen. If it does, the server may have done it while a screen still shows the message. */
  #mayStay(intent: Intent): void {
    intent.isRemoved = false;
    intent.removal = null;
    if (intent.excuse !== 'blocked') intent.excuse = PERHAPS;
  }

  /** The thread ended: whatever else became of its messages, the server has none of them any more. */
  blocked(): void {
    for (const intent of this.all) if (intent.kind === 'message') intent.excuse = 'blocked';
  }

  #excuse(why: string, isMeant: (intent: Intent) => boolean): void {
    for (const intent of this.all) if (isMeant(intent)) intent.excuse ??= why;
  }

  /** Those that must be on the server and the friend's device in the end. */
  get due(): Intent[] {
    return this.all.filter(({ excuse, isRemoved }) => excuse === null && !isRemoved);
  }
}
