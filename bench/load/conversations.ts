import { randomUUID } from 'node:crypto';
import {
  initialSegment,
  readSegment,
  segmentChanges,
  type SegmentDocument,
} from '#shared/chat/document.ts';
import { subscribeToPush } from '#shared/push/contract.ts';
import { startPushService, type PushService } from '../../tests/push/push-service.ts';
import { each } from './each.ts';
import type { IdleDevices } from './idle-devices.ts';
import type { Owner } from './owners.ts';
import { SyncDevice, type OwnDocument } from './sync-device.ts';

const TEXT = 'a message of eighty characters, as people write them on their way to the park. ';
/** When the client writes that a message was received, and how often at most: client/features/chat/thread/open-thread.ts. */
const MARK_AFTER_MS = 30;
const MARK_EVERY_MS = 1_000;

/** Two friends among the owners, by their numbers, and the segments of the first one. */
interface Friends {
  owners: [number, number];
  mine: string;
  theirs: string;
}

/** Returns pairs of owners who are friends; nobody is in two. */
export function friendsAmong(owners: readonly Owner[], { first }: IdleDevices): Friends[] {
  const numbers = new Map(owners.map(({ user }, number) => [user.id, number]));
  const taken = new Set<number>();
  return first.flatMap(({ documents }, number) => {
    if (taken.has(number)) return [];
    for (const { friendId, mine, theirs } of documents.conversations) {
      const friend = numbers.get(friendId);
      if (friend === undefined || friend <= number || taken.has(friend)) continue;
      taken.add(friend);
      return [{ owners: [number, friend], mine, theirs }];
    }
    return [];
  });
}

/** A segment without entries, to which a change adds those that it makes. */
const emptySegment = () =>
  initialSegment('', '', { thread_id: '', number: 1, friend_user_id: '', after: 0 });

/** The device of one friend in an open thread. */
class Talker {
  readonly device: SyncDevice;
  readonly #segment: OwnDocument<SegmentDocument>;
  readonly #name = randomUUID().slice(0, 8);
  #received: Record<string, number> = {};
  #markedAt = -Infinity;
  #isMarking = false;

  constructor(device: SyncDevice, segment: OwnDocument<SegmentDocument>) {
    this.device = device;
    this.#segment = segment;
  }

  /** Writes a message. @returns when these devices have it */
  async say(seq: number, seenBy: readonly SyncDevice[]): Promise<{ name: string; seq: number }> {
    const name = this.#name;
    const at = new Date().toISOString();
    const message = { key: `${name}-${seq}`, seq, device: name, at, text: TEXT.padEnd(80, '.') };
    const added = emptySegment();
    segmentChanges['message.add'].apply(added, message);
    await this.#segment.set({ messages: added.messages }, seenBy);
    return { name, seq };
  }

  /** Writes soon that a message was received and read, which its author's device gets. */
  received({ name, seq }: { name: string; seq: number }, author: SyncDevice): void {
    this.#received[name] = seq;
    if (this.#isMarking) return;
    this.#isMarking = true;
    const due = Math.max(MARK_AFTER_MS, this.#markedAt + MARK_EVERY_MS - performance.now());
    setTimeout(() => {
      this.#isMarking = false;
      this.#markedAt = performance.now();
      const segment = emptySegment();
      const { received, read } = segment;
      segmentChanges['marks.set'].apply(segment, {
        received: this.#received,
        read: this.#received,
      });
      // The server may announce it together with this talker's next message, by the head of the last change alone.
      this.#segment.set({ received, read }, [author]).catch(() => {});
    }, due).unref();
  }
}

/** Two friends who both have their thread open. */
export class Conversation {
  readonly #talkers: readonly [Talker, Talker];
  #seq: number;

  private constructor(talkers: readonly [Talker, Talker], seq: number) {
    this.#talkers = talkers;
    this.#seq = seq;
  }

  static async open(
    owners: readonly Owner[],
    { owners: [one, other], mine, theirs }: Friends,
  ): Promise<Conversation> {
    const devices = await Promise.all([
      SyncDevice.connect(owners[one]!),
      SyncDevice.connect(owners[other]!),
    ]);
    const segments = await Promise.all([
      devices[0].load<SegmentDocument>(mine),
      devices[1].load<SegmentDocument>(theirs),
      devices[0].open(theirs),
      devices[1].open(mine),
    ]);
    const talkers = [
      new Talker(devices[0], segments[0]),
      new Talker(devices[1], segments[1]),
    ] as const;
    return new Conversation(talkers, Math.max(lastSeq(segments[0].doc), lastSeq(segments[1].doc)));
  }

  /** One of the two writes. @returns when the message is on the friend's device */
  async say(turn: number): Promise<void> {
    const [author, friend] = turn % 2 === 0 ? this.#talkers : this.#talkers.toReversed();
    const message = await author.say(++this.#seq, [friend.device]);
    friend.received(message, author.device);
  }

  close(): void {
    for (const { device } of this.#talkers) device.close();
  }
}

/** An owner who writes to a friend whose app is closed: the friend gets pushes. */
export class PushedFriend {
  readonly #author: Talker;
  readonly #arrivals: (() => void)[];
  #seq: number;

  private constructor(author: Talker, arrivals: (() => void)[], seq: number) {
    this.#author = author;
    this.#arrivals = arrivals;
    this.#seq = seq;
  }

  static async open(
    owners: readonly Owner[],
    { owners: [one, other], mine, theirs }: Friends,
    pushes: Pushes,
  ): Promise<PushedFriend> {
    const device = await SyncDevice.connect(owners[one]!);
    const segment = await device.load<SegmentDocument>(mine);
    const answer = await device.load<SegmentDocument>(theirs);
    const arrivals = await pushes.subscribe(owners[other]!);
    const seq = Math.max(lastSeq(segment.doc), lastSeq(answer.doc));
    return new PushedFriend(new Talker(device, segment), arrivals, seq);
  }

  /** Writes a message. @returns when its push is at the push service */
  async say(): Promise<void> {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    this.#arrivals.push(arrive);
    const timer = AbortSignal.timeout(PUSH_MAX_MS);
    try {
      await this.#author.say(++this.#seq, []);
      await Promise.race([arrived, aborted(timer)]);
    } finally {
      const at = this.#arrivals.indexOf(arrive);
      if (at !== -1) this.#arrivals.splice(at, 1);
    }
  }

  close(): void {
    this.#author.device.close();
  }
}

const PUSH_MAX_MS = 30_000;
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('a push did not arrive')));
  });

/** The push service of the owners' browsers. */
export class Pushes {
  readonly #service: PushService;
  readonly #arrivals: Map<string, (() => void)[]>;

  private constructor(service: PushService, arrivals: Map<string, (() => void)[]>) {
    this.#service = service;
    this.#arrivals = arrivals;
  }

  static async start(): Promise<Pushes> {
    const arrivals = new Map<string, (() => void)[]>();
    const service = await startPushService((endpoint) => arrivals.get(endpoint)?.shift()?.());
    return new Pushes(service, arrivals);
  }

  /** Subscribes an owner's device. @returns what to call at the next pushes, in order */
  async subscribe(owner: Owner): Promise<(() => void)[]> {
    const { subscription } = this.#service.device();
    await owner.call(subscribeToPush, { body: subscription });
    const arrivals: (() => void)[] = [];
    this.#arrivals.set(subscription.endpoint, arrivals);
    return arrivals;
  }

  close(): Promise<void> {
    return this.#service.close();
  }
}

const lastSeq = (doc: unknown): number => {
  const { after, messages } = readSegment(doc);
  return messages.reduce((last, { seq }) => Math.max(last, seq), after);
};

/** Opens as many of something as there are pairs of friends. */
export async function openAll<T>(
  friends: readonly Friends[],
  open: (pair: Friends) => Promise<T>,
  interrupted: AbortSignal,
): Promise<T[]> {
  const opened: T[] = [];
  await each(friends, async (pair) => void opened.push(await open(pair)), interrupted);
  return opened;
}
