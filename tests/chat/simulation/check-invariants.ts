import { setTimeout as wait } from 'node:timers/promises';
import { listMessages } from '#shared/chat/contract.ts';
import type { View } from './device-protocol.ts';
import { FRIENDS, OWNERS, PAIRS, type Person } from './script.ts';
import type { World } from './world.ts';

/** The time in which all devices must settle, even on a busy machine. */
const HEALED_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 15;
/** Data that the server sent before it removed a thread may arrive this much later. */
const ON_ITS_WAY_MS = 500;

type Pair = (typeof PAIRS)[number];
type PairRow = { users: string[]; blocks: unknown[] };

/** The texts of each pair in order, or null for a pair with a block. */
type Outcome = ReadonlyMap<Pair, string[] | null>;

/** Waits until a world with a working network has settled. @returns the violated invariants */
export async function checkInvariants(world: World): Promise<string[]> {
  const end = Date.now() + HEALED_WITHIN_MS;
  for (;;) {
    const { wrong, outcome } = await compare(world);
    if (outcome)
      return [
        ...findLost(world, outcome),
        ...(await findLeaked(world)),
        ...(await findLeftovers(world, outcome)),
      ];
    if (Date.now() > end) return wrong;
    await wait(LOOK_EVERY_MS);
  }
}

/** Compares the threads on all devices and in the API. */
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
    // The API is only asked once the devices agree.
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

/** Returns the texts of the whole thread as the API lists it, in order. */
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

/** Returns the missing messages that were acknowledged or written on a device that was never killed. */
function findLost({ killed, records }: World, outcome: Outcome): string[] {
  const textsOf = (by: Person, to: Person) =>
    [...outcome].find(([pair]) => pair.includes(by) && pair.includes(to))?.[1];
  return records.written
    .filter(
      ({ isAcknowledged, device }) => isAcknowledged || device === null || !killed.has(device),
    )
    .filter(({ by, to, text, edits }) => {
      const all = textsOf(by, to);
      return all && ![text, ...edits].some((each) => all.includes(each));
    })
    .map(({ text }) => `lost: ${text}`);
}

/** Returns the documents that were sent to users without access. */
async function findLeaked({ records, links, idOf, userIds }: World): Promise<string[]> {
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

/** Returns what remains of threads between users with a block. */
async function findLeftovers(world: World, outcome: Outcome): Promise<string[]> {
  const blocked = PAIRS.filter((pair) => outcome.get(pair) === null);
  return (await Promise.all(blocked.map((pair) => leftoversOf(world, pair)))).flat();
}

async function leftoversOf(world: World, pair: Pair): Promise<string[]> {
  const { db } = world.api;
  const users = pair.map(world.idOf);
  const ids = world.records.segmentsOf(users);
  const written = world.records.written.filter(
    ({ by, to }) => pair.includes(by) && pair.includes(to),
  );
  const storedOn = async (device: number): Promise<string[]> => {
    const stored = await world.device(device).call('keeps', {
      texts: written.flatMap(({ text, edits }) => [text, ...edits]),
    });
    return [...stored.documents.filter((id) => ids.includes(id)), ...stored.texts];
  };
  const wrong = await Promise.all(
    OWNERS.map(async (owner, device) => {
      if (!pair.includes(owner)) return [];
      // A device may clear its storage later.
      const end = Date.now() + HEALED_WITHIN_MS;
      let stored = await storedOn(device);
      while (stored.length > 0 && Date.now() < end) {
        await wait(LOOK_EVERY_MS);
        stored = await storedOn(device);
      }
      return stored.length > 0 ? [`device ${device} keeps ${stored.join(', ')}`] : [];
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
