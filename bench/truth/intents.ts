import type { DeviceIndex, Person } from './script.ts';

/** Something that a person wrote on a device, with all that happened to it. */
export interface Intent {
  kind: 'message' | 'dog';
  /** A unique text. */
  text: string;
  by: Person;
  device: DeviceIndex;
  /** In ms. */
  at: number;
  /** Why it need not arrive; null if it must. */
  excuse: string | null;
  /** Whether its author or a moderator asked to remove it. */
  isRemoved: boolean;
  /** Where and when its author asked for that; null if nobody did, or a moderator. */
  removal: { device: DeviceIndex; at: number } | null;
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
  ): void {
    this.all.push({
      kind,
      text,
      by,
      device,
      at: Date.now(),
      excuse,
      isRemoved: false,
      removal: null,
    });
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

  find(text: string): Intent | undefined {
    return this.all.find((intent) => intent.text === text);
  }

  /** The app on a device was killed: what was just written may be lost. */
  killed(device: DeviceIndex): void {
    this.excuse('killed at once', (intent) => intent.device === device && this.isFresh(intent));
  }

  /** A device said that it can't store what was written on it since a time, and does not have it any more. */
  unstored(device: DeviceIndex, since: number): void {
    this.excuse('not stored', (intent) => intent.device === device && intent.at >= since);
    for (const intent of this.all)
      if (intent.removal?.device === device && intent.removal.at >= since) {
        intent.isRemoved = false;
        intent.removal = null;
        intent.excuse ??= 'perhaps removed';
      }
  }

  /** The thread ended: whatever else became of its messages, the server has none of them any more. */
  blocked(): void {
    for (const intent of this.all) if (intent.kind === 'message') intent.excuse = 'blocked';
  }

  /** A device lost its storage, or what was written on it. */
  excuse(why: string, isMeant: (intent: Intent) => boolean): void {
    for (const intent of this.all) if (isMeant(intent)) intent.excuse ??= why;
  }

  /** Those that must be on the server and the friend's device in the end. */
  get due(): Intent[] {
    return this.all.filter(({ excuse, isRemoved }) => excuse === null && !isRemoved);
  }
}
