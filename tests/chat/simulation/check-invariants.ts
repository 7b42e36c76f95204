import { setTimeout as wait } from 'node:timers/promises';
import { listMessages } from '#shared/chat/contract.ts';
import type { View } from './device-protocol.ts';
import { FRIENDS, OWNERS, PAIRS, type Person } from './script.ts';
import type { World } from './world.ts';

/** Until then, whatever the machine has to do besides, all must have come to rest. */
const HEALED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 15;
/** What the server sent before it removed a thread may be read from the socket so much later. */
const ON_ITS_WAY_MS = 500;

type Pair = (typeof PAIRS)[number];
type PairRow = { users: string[]; blocks: unknown[] };

/** What it comes to: by pair, all texts first to last; null of a pair one of whom has blocked the other. */
type Outcome = ReadonlyMap<Pair, string[] | null>;

/** Waits until a world whose network is whole has come to rest. @returns what is wrong with it; nothing when all is as it has to be */
export async function judge(world: World): Promise<string[]> {
  const end = Date.now() + HEALED_WITHIN_MS;
  for (;;) {
    const { wrong, outcome } = await compare(world);
    if (outcome)
      return [
        ...lost(world, outcome),
        ...(await leaked(world)),
        ...(await leftOver(world, outcome)),
      ];
    if (Date.now() > end) return wrong;
    await wait(LOOK_EVERY_MS);
  }
}

/** Whether all devices, and the api, show the same threads. */
async function compare(world: World): Promise<{ wrong: string[]; outcome: Outcome | null }> {
  const views = await Promise.all(
    OWNERS.map((owner, i) =>
      world.device(i).call('rest', { friends: FRIENDS[owner].map(world.idOf) }),
    ),
  );
  const wrong = views.flatMap((view, i) => (view ? [] : [`device ${i} does not come to rest`]));
  const blocked = await blockedPairs(world);
  const outcome = new Map<Pair, string[] | null>();
  for (const pair of PAIRS) {
    const seen = OWNERS.flatMap((owner, device) => {
      const friend = pair.find((each) => each !== owner);
      const view =
        friend && pair.includes(owner) && views[device]?.[FRIENDS[owner].indexOf(friend)];
      return view ? [{ device, view }] : [];
    });
    if (blocked.has(pair)) {
      outcome.set(pair, null);
      for (const { device, view } of seen)
        if (view.isHere || view.messages.length > 0)
          wrong.push(`device ${device} still shows a blocked thread`);
      continue;
    }
    // The api is not asked before the devices agree.
    const expected =
      wrong.length === 0 && new Set(seen.map(({ view }) => texts(view))).size === 1
        ? await listed(world, pair)
        : (seen[0]?.view.messages.map(({ text }) => text) ?? []);
    outcome.set(pair, expected);
    for (const { device, view } of seen)
      if (texts(view) !== JSON.stringify(expected))
        wrong.push(
          `device ${device}, ${pair.join(' and ')}: ${texts(view)} is not ${JSON.stringify(expected)}`,
        );
  }
  return { wrong, outcome: wrong.length === 0 ? outcome : null };
}

const texts = (view: View): string => JSON.stringify(view.messages.map(({ text }) => text));

/** The whole thread as the api lists it, first to last. */
async function listed(world: World, [one, other]: Pair): Promise<string[]> {
  const all: string[] = [];
  for (let page = 1; ; page++) {
    const { messages, hasMore } = await world.people[one].call(listMessages, {
      params: { friendUserId: world.idOf(other) },
      query: { page },
    });
    all.unshift(...messages.map(({ message_text }) => message_text));
    if (!hasMore) return all;
  }
}

async function blockedPairs(world: World): Promise<Set<Pair>> {
  const rows = await world.api.db
    .collection<PairRow>('pairs')
    .find({ users: { $in: world.userIds } })
    .toArray();
  const isBlocked = (pair: Pair) =>
    rows.some(
      ({ users, blocks }) =>
        blocks.length > 0 && pair.every((person) => users.includes(world.idOf(person))),
    );
  return new Set(PAIRS.filter(isBlocked));
}

/** What somebody was told is safe, or what is on a device that was never killed, and yet nobody has. */
function lost({ killed, records }: World, outcome: Outcome): string[] {
  const there = (by: Person, to: Person) =>
    [...outcome].find(([pair]) => pair.includes(by) && pair.includes(to))?.[1];
  return records.written
    .filter(
      ({ isAcknowledged, device }) => isAcknowledged || device === null || !killed.has(device),
    )
    .filter(({ by, to, text }) => there(by, to)?.includes(text) === false)
    .map(({ text }) => `lost: ${text}`);
}

/** Documents whose bytes came to somebody who may not, or no longer, have them. */
async function leaked({ records, links, idOf, userIds }: World): Promise<string[]> {
  await records.noteDocuments(userIds);
  return links.flatMap((link, device) => {
    const user = idOf(OWNERS[device] as Person);
    return link.received
      .filter(({ document, at }) => {
        const rights = records.documents.get(document);
        if (!rights?.people.has(user)) return true;
        return at > (records.removedAt.get(document) ?? Infinity) + ON_ITS_WAY_MS;
      })
      .map(({ document }) => `device ${device} was sent document ${document}`);
  });
}

/** What is still there of a thread between people one of whom has blocked the other. */
async function leftOver(world: World, outcome: Outcome): Promise<string[]> {
  const blocked = PAIRS.filter((pair) => outcome.get(pair) === null);
  return (await Promise.all(blocked.map((pair) => leftOf(world, pair)))).flat();
}

async function leftOf(world: World, pair: Pair): Promise<string[]> {
  const { db } = world.api;
  const users = pair.map(world.idOf);
  const ids = world.records.segmentsOf(users);
  const said = world.records.written.filter(({ by, to }) => pair.includes(by) && pair.includes(to));
  const keptOn = async (device: number): Promise<string[]> => {
    const kept = await world.device(device).call('keeps', {
      texts: said.map(({ text }) => text),
    });
    return [...kept.documents.filter((id) => ids.includes(id)), ...kept.texts];
  };
  const wrong = await Promise.all(
    OWNERS.map(async (owner, device) => {
      if (!pair.includes(owner)) return [];
      // A device clears its disk in its own time.
      const end = Date.now() + HEALED_WITHIN_MS;
      let kept = await keptOn(device);
      while (kept.length > 0 && Date.now() < end) {
        await wait(LOOK_EVERY_MS);
        kept = await keptOn(device);
      }
      return kept.length > 0 ? [`device ${device} keeps ${kept.join(', ')}`] : [];
    }),
  );
  const left = await Promise.all([
    db.collection<{ _id: string }>('documents').countDocuments({ _id: { $in: ids } }),
    db.collection('document_log').countDocuments({ 'entries.document': { $in: ids } }),
    db
      .collection('messages')
      .countDocuments({ sender_user_id: { $in: users }, receiver_user_id: { $in: users } }),
  ]);
  if (left.some((count) => count > 0))
    wrong.push([`the server keeps ${left.join(', ')} of documents, log and messages`]);
  return wrong.flat();
}
