import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { AutomergeUrl, DocHandle } from '@automerge/automerge-repo';
import { listMessages } from '#shared/chat/contract.ts';
import { readSegment, segmentChanges, type SegmentDocument } from '#shared/chat/document.ts';
import { readThreads, type SegmentPair } from '#shared/chat/threads.ts';
import { NO_TIME } from '../../client/platform/sync/state/document-state.ts';
import type { Visitor } from '../../scripts/session/api-session.ts';
import { befriend } from '../../tests/friends/befriend.ts';
import type { Device } from '../../tests/sync.ts';
import { openDeviceAt } from './stock-device.ts';
import { untilArrived } from './until-arrived.ts';
import type { Writer } from './writer.ts';

const WRITE_MS = 250;
const PAGE = 100;

/**
 * Makes two users friends, who send messages to each other from a device each.
 * @param pauseMs between two messages of one of them, if it is longer than usual
 */
export async function friends(
  origin: string,
  pair: [Visitor, Visitor],
  pauseMs: number,
): Promise<Writer[]> {
  const [one, other] = pair;
  await befriend(one, other);
  return Promise.all([
    messages(origin, one, other, pauseMs),
    messages(origin, other, one, pauseMs),
  ]);
}

/** A message is acknowledged when the server's own heads of the segment have it. */
async function messages(
  origin: string,
  author: Visitor,
  friend: Visitor,
  pauseMs: number,
): Promise<Writer> {
  const device = await openDeviceAt(origin, author);
  const contacts = await device.repo.find(author.user.documents.contacts as AutomergeUrl);
  await untilArrived(() => pairsOf(contacts, friend).length > 0);
  const name = randomUUID().slice(0, 8);
  const segments = new Map<number, Promise<Segment>>();
  const acknowledged = new Set<string>();
  let seq = 0;

  /** Opens both segments of a pair once, as the client does. */
  function open(pair: SegmentPair): Promise<Segment> {
    const known = segments.get(pair.number);
    if (known) return known;
    const opening = openSegment(device, pair, acknowledged);
    segments.set(pair.number, opening);
    // Its permission may not be there yet.
    opening.catch(() => segments.delete(pair.number));
    return opening;
  }

  async function write(): Promise<void> {
    const { mine, theirs, sent } = await open(pairsOf(contacts, friend)[0]!);
    const highest = (handle: DocHandle<SegmentDocument>) => {
      const { after, messages: all } = readSegment(handle.doc());
      return all.reduce((highestSeq, message) => Math.max(highestSeq, message.seq), after);
    };
    seq = Math.max(seq, highest(mine), highest(theirs)) + 1;
    const key = `${name}-${seq}`;
    const message = { key, seq, device: name, at: new Date().toISOString(), text: key };
    mine.change((segment) => segmentChanges['message.add'].apply(segment, message), NO_TIME);
    sent.push({ key, heads: String(mine.heads()) });
  }

  return {
    name: `messages of ${author.user.email}`,
    acknowledged: () => acknowledged.size,
    async run(signal) {
      while (!signal.aborted) {
        await write().catch(() => {});
        await wait(Math.max(WRITE_MS, pauseMs));
      }
    },
    async missing() {
      const missing = await Promise.all([
        missingOnDevice(origin, author, friend, acknowledged),
        missingOnDevice(origin, friend, author, acknowledged),
        missingInApi(author, friend, acknowledged),
        missingInApi(friend, author, acknowledged),
      ]);
      return missing.flat();
    },
    close: device.close,
  };
}

interface Segment {
  mine: DocHandle<SegmentDocument>;
  theirs: DocHandle<SegmentDocument>;
  /** Messages of this device that are not acknowledged, oldest first. */
  sent: { key: string; heads: string }[];
}

async function openSegment(
  { repo }: Device,
  { mine, theirs }: SegmentPair,
  acknowledged: Set<string>,
): Promise<Segment> {
  const find = (url: string) => repo.find<SegmentDocument>(url as AutomergeUrl);
  const [own, friends] = await Promise.all([find(mine), find(theirs)]);
  const sent: Segment['sent'] = [];
  own.on('remote-heads', ({ heads }) => {
    const at = sent.findIndex((each) => each.heads === String(heads));
    for (const { key } of sent.splice(0, at + 1)) acknowledged.add(key);
  });
  return { mine: own, theirs: friends, sent };
}

/** Newest first. */
const pairsOf = (contacts: DocHandle<unknown>, friend: Visitor): SegmentPair[] =>
  readThreads(contacts.doc()).find(({ friend_user_id }) => friend_user_id === friend.user.id)
    ?.segments ?? [];

/** Returns the messages that a new device of a user doesn't receive. */
async function missingOnDevice(
  origin: string,
  user: Visitor,
  friend: Visitor,
  wanted: ReadonlySet<string>,
): Promise<string[]> {
  const device = await openDeviceAt(origin, user);
  try {
    const contacts = await device.repo.find(user.user.documents.contacts as AutomergeUrl);
    await untilArrived(() => pairsOf(contacts, friend).length > 0);
    const urls = pairsOf(contacts, friend).flatMap(({ mine, theirs }) => [mine, theirs]);
    const handles = await Promise.all(
      urls.map((url) => device.repo.find<SegmentDocument>(url as AutomergeUrl)),
    );
    const missing = () => {
      const found = new Set(
        handles.flatMap((handle) => readSegment(handle.doc()).messages.map(({ key }) => key)),
      );
      return [...wanted].filter((key) => !found.has(key));
    };
    await untilArrived(() => missing().length === 0);
    return missing().map((key) => `${key} on a device of ${user.user.email}`);
  } finally {
    device.close();
  }
}

/** Returns the messages that the API doesn't list for a user exactly once. */
async function missingInApi(
  { call, user }: Visitor,
  friend: Visitor,
  wanted: ReadonlySet<string>,
): Promise<string[]> {
  let missing: string[] = [];
  await untilArrived(async () => {
    const times = new Map<string, number>();
    for (let page = 1, hasMore = true; hasMore; page++) {
      const params = { friendUserId: friend.user.id };
      const listed = await call(listMessages, { params, query: { page, limit: PAGE } });
      for (const { message_text: key } of listed.messages)
        times.set(key, (times.get(key) ?? 0) + 1);
      ({ hasMore } = listed);
    }
    missing = [...wanted]
      .filter((key) => times.get(key) !== 1)
      .map((key) => `${key} is listed ${times.get(key) ?? 0} times for ${user.email}`);
    return missing.length === 0;
  });
  return missing;
}
