import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { listMessages, markRead, sendMessage } from '#shared/chat/contract.ts';
import { createFriendRequest, respondToFriendRequest } from '#shared/friends/contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { CallError } from '../../../client/call.ts';
import type { TestApi, TestPerson } from '../../api.ts';
import type { Device } from './device.ts';
import type { View } from './device-words.ts';
import { Link, randomOf } from './link.ts';
import {
  FRIENDS,
  OWNERS,
  PEOPLE,
  scriptOf,
  type Event,
  type Person,
  type Script,
} from './script.ts';

/** Until then, whatever the machine has to do besides, all must have come to rest. */
const HEALED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 25;
const LISTEN_EVERY = 5;
/** What the server sent before it removed a thread may be read from the socket so much later. */
const ON_ITS_WAY_MS = 500;

type PairRow = { _id: string; users: string[]; blocks: { created_at: Date }[] };
type DocumentRow = { _id: string; kind: string; owner_user_id: string; reader_user_ids: string[] };

const PAIRS: [Person, Person][] = [
  ['ann', 'bob'],
  ['bob', 'cas'],
];

interface Written {
  /** Null: over HTTP. */
  device: number | null;
  text: string;
  by: Person;
  to: Person;
  /** Whether a device said, or an answer did, that the server has it. */
  isAcknowledged: boolean;
}

/** One simulation from its seed to its verdict. */
export class World {
  readonly #api: TestApi;
  readonly #devices: readonly Device[];
  readonly #script: Script;
  readonly #links: Link[];
  readonly #people = {} as Record<Person, TestPerson>;
  readonly #written: Written[] = [];
  readonly #running = new Set<Promise<unknown>>();
  /** Since when the server has no longer had a document. */
  readonly #removedAt = new Map<string, number>();
  /** Who may have read or written a document, ever. */
  readonly #documents = new Map<string, { kind: string; people: Set<string> }>();
  readonly #seed: number;
  #isOver = false;
  readonly #restartSync: () => Promise<void>;

  /** @param restartSync ends the sync server and starts it again, for all that simulate at the same time */
  constructor(
    seed: number,
    api: TestApi,
    devices: readonly Device[],
    restartSync: () => Promise<void>,
  ) {
    this.#seed = seed;
    this.#api = api;
    this.#devices = devices;
    this.#restartSync = restartSync;
    this.#script = scriptOf(randomOf(seed));
    this.#links = OWNERS.map(
      (owner, i) =>
        new Link(randomOf(seed * 31 + i), () => ({
          port: api.syncPort,
          cookie: this.#people[owner].jar.header,
          origin: api.env['PUBLIC_ORIGIN'] ?? '',
        })),
    );
  }

  /** @returns what is wrong; nothing when all is as it has to be */
  async run(): Promise<string[]> {
    await this.#begin();
    const watching = this.#watch();
    try {
      for (const [turn, event] of this.#script.events.entries()) {
        await wait(event.after);
        this.#start(this.#play(event));
        if (turn % LISTEN_EVERY === 0) this.#start(this.#listen());
      }
      return [...(await this.#heal()), ...(await this.#judge())];
    } finally {
      this.#isOver = true;
      await Promise.allSettled([...this.#running, watching]);
      await Promise.all(this.#devices.map((device) => device.call('end')));
      await Promise.all(this.#links.map((link) => link.close()));
    }
  }

  async #begin(): Promise<void> {
    await Promise.all(
      PEOPLE.map(async (name) => {
        const person = await this.#api.as(`${name}.${randomUUID().slice(0, 8)}@example.com`);
        this.#people[name] = person;
        await person.call(saveProfile, {
          body: { display_name: name, is_location_sharing_enabled: false },
        });
      }),
    );
    for (const [one, other] of PAIRS) {
      const { friend_request } = await this.#people[one].call(createFriendRequest, {
        body: { receiver_user_id: this.#idOf(other) },
      });
      await this.#people[other].call(respondToFriendRequest, {
        body: { request_id: friend_request.id, action: 'accept' },
      });
    }
    await Promise.all(
      this.#devices.map(async (device, i) => {
        const owner = OWNERS[i] as Person;
        await device.call('begin', {
          user: this.#people[owner].user,
          api: this.#api.origin,
          address: await (this.#links[i] as Link).open(),
          cookie: this.#people[owner].jar.header,
          skewMs: this.#script.skewMs[i] ?? 0,
        });
      }),
    );
    await this.#noteDocuments();
    // Most start with everybody there; the others over a network that fails from the beginning.
    if (this.#seed % 4 > 0)
      await this.#until(async () => (await this.#views()).every(({ view }) => view.isHere));
    for (const link of this.#links) link.isFaulty = true;
  }

  #idOf = (person: Person) => this.#people[person].user.id;
  #start(work: Promise<unknown>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work)).catch(() => null);
  }

  async #play(event: Event): Promise<void> {
    switch (event.is) {
      case 'write': {
        const by = OWNERS[event.device] as Person;
        const text = `${by} to ${event.friend} ${randomUUID()}`;
        const written = { device: event.device, text, by, to: event.friend, isAcknowledged: false };
        if (
          await this.#device(event.device).call('write', { friend: this.#idOf(event.friend), text })
        )
          this.#written.push(written);
        return;
      }
      case 'post': {
        const text = `${event.person} posts to ${event.friend} ${randomUUID()}`;
        const written = {
          device: null,
          text,
          by: event.person,
          to: event.friend,
          isAcknowledged: false,
        };
        await this.#ask(async () => {
          await this.#people[event.person].call(sendMessage, {
            body: { receiver_user_id: this.#idOf(event.friend), message_text: text },
          });
          written.isAcknowledged = true;
          this.#written.push(written);
        });
        return;
      }
      case 'mark':
        return this.#ask(async () => {
          const { call } = this.#people[event.person];
          const { messages } = await call(listMessages, {
            params: { friendUserId: this.#idOf(event.friend) },
          });
          const theirs = messages.filter(
            ({ sender_user_id }) => sender_user_id === this.#idOf(event.friend),
          );
          if (theirs.length > 0)
            await call(markRead, { body: { message_ids: theirs.map(({ id }) => id) } });
        });
      case 'type':
      case 'read':
      case 'block':
        return void (await this.#device(event.device).call(event.is, {
          friend: this.#idOf(event.friend),
        }));
      case 'cut':
        this.#links[event.device]?.cut();
        return void (await this.#device(event.device).call('setOnline', false));
      case 'restore':
        this.#links[event.device]?.restore();
        return void (await this.#device(event.device).call('setOnline', true));
      case 'crash':
        return void (await this.#device(event.device).call('crash'));
      case 'restart-sync':
        return this.#restartSync();
    }
  }

  /** A call that may be refused: for a block, or while the sync server is away. */
  async #ask(call: () => Promise<void>): Promise<void> {
    try {
      await call();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    }
  }

  #device = (index: number): Device => this.#devices[index] as Device;

  async #views(): Promise<{ device: number; owner: Person; friend: Person; view: View }[]> {
    return Promise.all(
      OWNERS.flatMap((owner, device) =>
        FRIENDS[owner].map(async (friend) => ({
          device,
          owner,
          friend,
          view: await this.#device(device).call('look', { friend: this.#idOf(friend) }),
        })),
      ),
    );
  }

  async #until(isSo: () => Promise<boolean>): Promise<boolean> {
    const end = Date.now() + HEALED_WITHIN_MS;
    while (Date.now() < end) {
      if (await isSo()) return true;
      await wait(LOOK_EVERY_MS);
    }
    return false;
  }

  /** The network is whole, all is running: everything comes to rest, the same on every device. */
  async #heal(): Promise<string[]> {
    await Promise.all(this.#running);
    for (const [i, link] of this.#links.entries()) {
      link.isFaulty = false;
      // What was lost on the way is noticed by time-outs of a quarter of a minute: here the connection is made anew.
      link.cut();
      link.restore();
      await this.#device(i).call('setOnline', false);
      await this.#device(i).call('setOnline', true);
    }
    const isAtRest = await this.#until(async () => {
      const settled = await Promise.all(this.#devices.map((device) => device.call('isSettled')));
      return settled.every(Boolean) && (await this.#differences()).length === 0;
    });
    if (isAtRest) return [];
    const settled = await Promise.all(this.#devices.map((device) => device.call('isSettled')));
    return [`not at rest: settled ${settled.join(', ')}`, ...(await this.#differences())];
  }

  /** Where devices, and the api, do not show the same thread. */
  async #differences(): Promise<string[]> {
    const blocked = await this.#blocked();
    const views = await this.#views();
    const wrong: string[] = [];
    for (const [one, other] of PAIRS) {
      const isBlocked = blocked.has(pairOf(one, other));
      const seen = views.filter(
        ({ owner, friend }) => pairOf(owner, friend) === pairOf(one, other),
      );
      if (isBlocked) {
        for (const { device, view } of seen)
          if (view.isHere || view.messages.length > 0)
            wrong.push(`device ${device} still shows a blocked thread`);
        continue;
      }
      const expected = await this.#listed(one, other);
      for (const { device, view } of seen)
        if (texts(view) !== JSON.stringify(expected))
          wrong.push(
            `device ${device}: ${one} and ${other}: ${texts(view)} is not ${JSON.stringify(expected)}`,
          );
    }
    return wrong;
  }

  /** The whole thread as the api lists it, first to last. */
  async #listed(one: Person, other: Person): Promise<string[]> {
    const all: string[] = [];
    for (let page = 1; ; page++) {
      const { messages, hasMore } = await this.#people[one].call(listMessages, {
        params: { friendUserId: this.#idOf(other) },
        query: { page },
      });
      all.unshift(...messages.map(({ message_text }) => message_text));
      if (!hasMore) return all;
    }
  }

  async #blocked(): Promise<Set<string>> {
    const nameOf = (id: string) => PEOPLE.find((each) => this.#idOf(each) === id) as Person;
    return new Set(
      (await this.#pairRows())
        .filter(({ blocks }) => blocks.length > 0)
        .map(({ users }) => pairOf(nameOf(users[0] ?? ''), nameOf(users[1] ?? ''))),
    );
  }

  async #judge(): Promise<string[]> {
    return [...(await this.#lost()), ...(await this.#leaked()), ...(await this.#leftOver())];
  }

  /** What somebody was told is safe, or what is on a device that was never killed, and yet nobody has. */
  async #lost(): Promise<string[]> {
    const blocked = await this.#blocked();
    const killed = new Set(
      this.#script.events.flatMap((event) => (event.is === 'crash' ? [event.device] : [])),
    );
    const there = new Map<string, Set<string>>();
    for (const [one, other] of PAIRS)
      if (!blocked.has(pairOf(one, other)))
        there.set(pairOf(one, other), new Set(await this.#listed(one, other)));
    return this.#written
      .filter(
        ({ isAcknowledged, device }) => isAcknowledged || device === null || !killed.has(device),
      )
      .filter(({ by, to, text }) => there.get(pairOf(by, to))?.has(text) === false)
      .map(({ text }) => `lost: ${text}`);
  }

  /** Documents whose bytes came to somebody who may not, or no longer, have them. */
  async #leaked(): Promise<string[]> {
    await this.#noteDocuments();
    return this.#links.flatMap((link, device) => {
      const user = this.#idOf(OWNERS[device] as Person);
      return link.received
        .filter(({ document, at }) => {
          const rights = this.#documents.get(document);
          if (!rights?.people.has(user)) return true;
          return at > (this.#removedAt.get(document) ?? Infinity) + ON_ITS_WAY_MS;
        })
        .map(({ document }) => `device ${device} was sent document ${document}`);
    });
  }

  /** What is still there of a thread between people one of whom has blocked the other. */
  async #leftOver(): Promise<string[]> {
    const wrong: string[] = [];
    for (const { users, blocks } of await this.#pairRows()) {
      if (blocks.length === 0) continue;
      const parts = [...this.#documents].filter(
        ([, { kind, people }]) => kind === 'part' && users.every((user) => people.has(user)),
      );
      const ids = parts.map(([id]) => id);
      const said = this.#written.filter(({ by, to }) =>
        [by, to].every((each) => users.includes(this.#idOf(each))),
      );
      for (const [device, owner] of OWNERS.entries()) {
        if (!users.includes(this.#idOf(owner))) continue;
        const look = () =>
          this.#device(device).call('keeps', { texts: said.map(({ text }) => text) });
        const rest = async () => {
          const kept = await look();
          return [...kept.documents.filter((id) => ids.includes(id)), ...kept.texts];
        };
        // A device clears its disk in its own time.
        if (!(await this.#until(async () => (await rest()).length === 0)))
          wrong.push(`device ${device} keeps ${(await rest()).join(', ')}`);
      }
      const { db } = this.#api;
      const left = [
        await db.collection<{ _id: string }>('documents').countDocuments({ _id: { $in: ids } }),
        await db.collection('document_log').countDocuments({ 'entries.document': { $in: ids } }),
        await db
          .collection('messages')
          .countDocuments({ sender_user_id: { $in: users }, receiver_user_id: { $in: users } }),
      ];
      if (left.some((count) => count > 0))
        wrong.push(`the server keeps ${left.join(', ')} of documents, log and messages`);
    }
    return wrong;
  }

  async #pairRows(): Promise<PairRow[]> {
    const users = { $in: PEOPLE.map(this.#idOf) };
    return this.#api.db.collection<PairRow>('pairs').find({ users }).toArray();
  }

  /** Remembers who may have what: rows go when a thread goes. */
  async #noteDocuments(): Promise<void> {
    const ids = { $in: PEOPLE.map(this.#idOf) };
    const rows = await this.#api.db
      .collection<DocumentRow>('documents')
      .find(
        { $or: [{ owner_user_id: ids }, { reader_user_ids: ids }] },
        { projection: { kind: 1, owner_user_id: 1, reader_user_ids: 1 } },
      )
      .toArray();
    for (const { _id, kind, owner_user_id, reader_user_ids } of rows) {
      const people = this.#documents.get(_id)?.people ?? new Set();
      for (const each of [owner_user_id, ...reader_user_ids]) people.add(each);
      this.#documents.set(_id, { kind, people });
    }
  }

  /** Notes when documents go. */
  async #watch(): Promise<void> {
    while (!this.#isOver) {
      const ids = [...this.#documents.keys()];
      const rows = await this.#api.db
        .collection<DocumentRow>('documents')
        .find({ _id: { $in: ids } }, { projection: { _id: 1 } })
        .toArray();
      const there = new Set(rows.map(({ _id }) => _id));
      for (const id of ids)
        if (!there.has(id) && !this.#removedAt.has(id)) this.#removedAt.set(id, Date.now());
      await wait(LOOK_EVERY_MS);
    }
  }

  /** Notes of which messages devices say that the server has them. */
  async #listen(): Promise<void> {
    for (const { view } of await this.#views())
      for (const { text, isOwn, delivery } of view.messages) {
        const written =
          isOwn && delivery !== 'device' && this.#written.find((each) => each.text === text);
        if (written) written.isAcknowledged = true;
      }
  }
}

const pairOf = (one: Person, other: Person): string => [one, other].toSorted().join(' and ');
const texts = (view: View): string => JSON.stringify(view.messages.map(({ text }) => text));
