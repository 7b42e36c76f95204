import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Repo } from '@automerge/automerge-repo';
import type { FromClientMessage } from '@automerge/automerge-repo-network-websocket';
import { WebSocket } from 'ws';
import { createCode, listCodes, listCodeUses } from '#shared/access-gate/admin-contract.ts';
import { validateCode } from '#shared/access-gate/contract.ts';
import type { AccountDocument } from '#shared/account/document.ts';
import { createBlock, deleteBlock, listBlocks } from '#shared/blocks/contract.ts';
import { createDog, deleteDog, listDogs } from '#shared/dogs/contract.ts';
import { getProfile, saveProfile } from '#shared/profile/contract.ts';
import { caller } from '../client/http/api-client.ts';
import { passGate, signIn, type Visitor } from '../scripts/cli/api-session.ts';
import { Adapter, Line } from '../tests/sync.ts';

/** Somebody who writes for as long as the signal is not aborted, one write after the other. */
export interface Writer {
  name: string;
  /** How many writes were acknowledged. */
  acknowledged(): number;
  run(signal: AbortSignal): Promise<void>;
  /** What was acknowledged and is not there, in words. Empty when all is. */
  missing(): Promise<string[]>;
  close(): void;
}

const RETRY_MS = 50;
/** The stock adapter opens one socket more whenever this is over and the last one is not up yet. */
const RECONNECT_MS = 1000;
/** The time in which all of a document reaches a new device, on a busy machine. */
const ARRIVED_MS = 30_000;
const MOST_DOGS = 15;

/** Owners, admins and devices of one origin, each writing something else. */
export async function writers(origin: string): Promise<Writer[]> {
  const admin = await signIn(origin, 'admin@example.com');
  const owners = await Promise.all(
    Array.from({ length: 6 }, async (_, i) => {
      const owner = await signIn(origin, `writer-${i}@example.com`);
      await passGate(origin, owner);
      return owner;
    }),
  );
  const others = owners.map(({ user }) => user.id);
  return [
    ...owners.slice(0, 2).map(dogs),
    ...owners.slice(2, 4).map(profiles),
    ...owners.slice(4, 5).map((owner) => blocks(owner, others)),
    codes(origin, admin),
    ...(await Promise.all(owners.slice(0, 3).map((owner) => device(origin, owner)))),
  ];
}

/** The stock adapter throws when it sends on a socket that is not open, in the midst of a change. */
class PatientAdapter extends Adapter {
  override send(message: FromClientMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) super.send(message);
  }
}

/** Repeats a write until the time is up; what fails may have happened or not. */
async function until(signal: AbortSignal, write: () => Promise<void>): Promise<void> {
  while (!signal.aborted) await write().catch(() => wait(RETRY_MS));
}

/** What is known of things that come and go: there, gone, or unknown while a write is unanswered. */
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

function dogs({ call, user }: Visitor): Writer {
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

function profiles({ call, user }: Visitor): Writer {
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
      return number >= last ? [] : [`${display_name} stands where Name ${last} was acknowledged`];
    },
    close: () => {},
  };
}

function blocks({ call, user }: Visitor, everybody: string[]): Writer {
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

/** Each code is made and used once. */
function codes(origin: string, { call }: Visitor): Writer {
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

/** A stock Repo: a change counts as acknowledged when the server's own heads say that it has it. */
async function device(origin: string, { user, jar }: Visitor): Promise<Writer> {
  const url = user.documents.account as Parameters<Repo['find']>[0];
  const port = Number(new URL(origin).port);
  const prefix = randomUUID().slice(0, 8);
  const open = async () => {
    const line = new Line(() => port, { cookie: jar.header, origin });
    const adapter = new PatientAdapter(await line.open(), RECONNECT_MS);
    const repo = new Repo({ network: [adapter] });
    // A Repo that is asked before it has met its server says that the document is unavailable.
    await new Promise<void>((resolve) => repo.networkSubsystem.once('peer', () => resolve()));
    const close = () => {
      adapter.disconnect();
      line.close();
    };
    return { handle: await repo.find<AccountDocument>(url), close };
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
        await wait(20);
      }
    },
    async missing() {
      const fresh = await open();
      const keys = Array.from({ length: acknowledged }, (_, i) => `${prefix}-${i + 1}`);
      const missing = () => keys.filter((key) => fresh.handle.doc().settings[key] === undefined);
      // A document arrives in more than one message, and a node may read changes of another one from the log only.
      const end = Date.now() + ARRIVED_MS;
      while (missing().length > 0 && Date.now() < end) await wait(100);
      fresh.close();
      return missing();
    },
    close,
  };
}
