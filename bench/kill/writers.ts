import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { AutomergeUrl } from '@automerge/automerge-repo';
import { createCode, listCodes, listCodeUses } from '#shared/access-gate/admin-contract.ts';
import { validateCode } from '#shared/access-gate/contract.ts';
import type { AccountDocument } from '#shared/account/document.ts';
import { createBlock, deleteBlock, listBlocks } from '#shared/blocks/contract.ts';
import { createDog, deleteDog, listDogs } from '#shared/dogs/contract.ts';
import { getProfile, saveProfile } from '#shared/profile/contract.ts';
import { caller } from '../../client/platform/http/api-client.ts';
import { signIn, signInMember, type Visitor } from '../../scripts/session/api-session.ts';
import { friends } from './friends.ts';
import { openDeviceAt } from './stock-device.ts';
import { untilArrived } from './until-arrived.ts';
import type { Writer } from './writer.ts';

const RETRY_MS = 50;
/** The shortest time between two changes on a device. */
const CHANGE_MS = 100;
const MOST_DOGS = 15;
/** Owners who change their data, and owners who chat with another one. */
const EDITORS = 6;
const CHATTERS = 4;

/**
 * Creates ten owners (two pairs of friends who chat among them), an admin, and devices of an origin that each write something else.
 * @param onFailure called with the error of each call that fails
 * @param pauseMs between two writes of an owner
 */
export async function writers(
  origin: string,
  onFailure: (error: unknown) => void = () => {},
  pauseMs = 0,
): Promise<Writer[]> {
  const admin = await signIn(origin, 'admin@example.com');
  const all = await Promise.all(
    Array.from({ length: EDITORS + CHATTERS }, (_, i) =>
      signInMember(origin, `writer-${i}@example.com`),
    ),
  );
  const owners = all.slice(0, EDITORS);
  const chatters = all.slice(EDITORS);
  const pairs = [chatters.slice(0, 2), chatters.slice(2)] as [Visitor, Visitor][];
  const others = owners.map(({ user }) => user.id);
  const until = repeating(onFailure, pauseMs);
  return [
    ...owners.slice(0, 2).map((owner) => dogs(owner, until)),
    ...owners.slice(2, 4).map((owner) => profiles(owner, until)),
    ...owners.slice(4, 5).map((owner) => blocks(owner, others, until)),
    codes(origin, admin, until),
    ...(await Promise.all(owners.slice(0, 3).map((owner) => device(origin, owner, pauseMs)))),
    ...(await Promise.all(pairs.map((pair) => friends(origin, pair, pauseMs)))).flat(),
  ];
}

/** Repeats a write until the signal is aborted. A failed write may have happened or not. */
function repeating(onFailure: (error: unknown) => void, pauseMs: number): Until {
  return async (signal, write) => {
    while (!signal.aborted) {
      await write().catch(async (error: unknown) => {
        onFailure(error);
        await wait(RETRY_MS);
      });
      if (pauseMs > 0) await wait(pauseMs);
    }
  };
}

type Until = (signal: AbortSignal, write: () => Promise<void>) => Promise<void>;

/** The known state of items: present, removed, or unknown while a write is unanswered. */
class Known {
  readonly #state = new Map<string, boolean>();
  acknowledged = 0;

  async write(id: string, there: boolean, send: () => Promise<unknown>): Promise<void> {
    this.#state.delete(id);
    await send();
    this.#state.set(id, there);
    this.acknowledged++;
  }

  ids(there: boolean): string[] {
    return [...this.#state].filter(([, state]) => state === there).map(([id]) => id);
  }

  differences(found: ReadonlySet<string>): string[] {
    return [
      ...this.ids(true)
        .filter((id) => !found.has(id))
        .map((id) => `${id} is missing`),
      ...this.ids(false)
        .filter((id) => found.has(id))
        .map((id) => `${id} is back`),
    ];
  }
}

function dogs({ call, user }: Visitor, until: Until): Writer {
  const known = new Known();
  const all = async () => new Set((await call(listDogs)).dogs.map((dog) => dog.id));
  return {
    name: `dogs of ${user.email}`,
    acknowledged: () => known.acknowledged,
    run: (signal) =>
      until(signal, async () => {
        const there = [...(await all())];
        const [oldest] = there;
        if (oldest && there.length >= MOST_DOGS) {
          await known.write(oldest, false, () => call(deleteDog, { params: { id: oldest } }));
          return;
        }
        const body = { name: `Dog ${known.acknowledged}`, sound_type: 'leash_on' } as const;
        const { dog } = await call(createDog, { body });
        await known.write(dog.id, true, async () => {});
      }),
    missing: async () => known.differences(await all()),
    close: () => {},
  };
}

function profiles({ call, user }: Visitor, until: Until): Writer {
  let acknowledged = 0;
  let last = 0;
  let next = 0;
  return {
    name: `profile of ${user.email}`,
    acknowledged: () => acknowledged,
    run: (signal) =>
      until(signal, async () => {
        const number = ++next;
        const body = { display_name: `Name ${number}`, is_location_sharing_enabled: false };
        await call(saveProfile, { body });
        last = number;
        acknowledged++;
      }),
    async missing() {
      const { display_name } = await call(getProfile);
      const number = Number(display_name.split(' ')[1]);
      return number >= last
        ? []
        : [`the name is ${display_name}, but Name ${last} was acknowledged`];
    },
    close: () => {},
  };
}

function blocks({ call, user }: Visitor, everybody: string[], until: Until): Writer {
  const known = new Known();
  const others = everybody.filter((id) => id !== user.id);
  let turn = 0;
  return {
    name: `blocks of ${user.email}`,
    acknowledged: () => known.acknowledged,
    run: (signal) =>
      until(signal, async () => {
        const id = others[turn++ % others.length] ?? '';
        if (known.ids(true).includes(id))
          await known.write(id, false, () => call(deleteBlock, { params: { blockedUserId: id } }));
        else
          await known.write(id, true, () => call(createBlock, { body: { blocked_user_id: id } }));
      }),
    async missing() {
      const { blocks: rows } = await call(listBlocks);
      return known.differences(new Set(rows.map((row) => row.blocked_user_id)));
    },
    close: () => {},
  };
}

/** Creates each code, and uses it once. */
function codes(origin: string, { call }: Visitor, until: Until): Writer {
  const made = new Set<string>();
  const used = new Set<string>();
  return {
    name: 'access codes',
    acknowledged: () => made.size + used.size,
    run: (signal) =>
      until(signal, async () => {
        const code = `K-${randomUUID().slice(0, 12).toUpperCase()}`;
        const { accessCode } = await call(createCode, { body: { code, max_uses: 1 } });
        made.add(accessCode.id);
        await caller({ origin })(validateCode, { body: { code } });
        used.add(accessCode.id);
      }),
    async missing() {
      const uses = new Map<string, number>();
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await call(listCodes, { query: { limit: 200, cursor } });
        for (const { id, current_uses } of page.accessCodes) uses.set(id, current_uses);
        cursor = page.next_cursor;
      }
      const missing: string[] = [];
      for (const id of made) if (!uses.has(id)) missing.push(`code ${id}`);
      for (const id of used) {
        if (uses.get(id) !== 1) missing.push(`code ${id} counts ${uses.get(id)} uses`);
        const { uses: rows } = await call(listCodeUses, { params: { id } });
        if (rows.length !== 1) missing.push(`code ${id} has ${rows.length} uses recorded`);
      }
      return missing;
    },
    close: () => {},
  };
}

/** A stock Repo. A change is acknowledged when the server reports heads that include it. */
async function device(origin: string, owner: Visitor, pauseMs: number): Promise<Writer> {
  const { user } = owner;
  const prefix = randomUUID().slice(0, 8);
  const open = async () => {
    const { repo, close } = await openDeviceAt(origin, owner);
    return {
      handle: await repo.find<AccountDocument>(user.documents.account as AutomergeUrl),
      close,
    };
  };
  const { handle, close } = await open();
  const numberAt = new Map<string, number>();
  let next = 0;
  let acknowledged = 0;
  handle.on('remote-heads', ({ heads }) => {
    acknowledged = Math.max(acknowledged, numberAt.get(String(heads)) ?? 0);
  });
  return {
    name: `a device of ${user.email}`,
    acknowledged: () => acknowledged,
    async run(signal) {
      while (!signal.aborted) {
        const number = ++next;
        handle.change((doc) => void (doc.settings[`${prefix}-${number}`] = number));
        numberAt.set(String(handle.heads()), number);
        await wait(Math.max(CHANGE_MS, pauseMs));
      }
    },
    async missing() {
      const fresh = await open();
      const keys = Array.from({ length: acknowledged }, (_, i) => `${prefix}-${i + 1}`);
      const missing = () => keys.filter((key) => fresh.handle.doc().settings[key] === undefined);
      // A document arrives in several messages, and a node may have to read changes of another one from the log.
      await untilArrived(() => missing().length === 0);
      fresh.close();
      return missing();
    },
    close,
  };
}
