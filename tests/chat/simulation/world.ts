import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { editMessage, listMessages, markRead, sendMessage } from '#shared/chat/contract.ts';
import { createFriendRequest, respondToFriendRequest } from '#shared/friends/contract.ts';
import { CallError } from '../../../client/platform/http/api-client.ts';
import type { TestApi } from '../../api.ts';
import type { Device } from './device.ts';
import { Link, randomOf } from './link.ts';
import { newPerson, withRetries, type SimulatedPerson } from './people.ts';
import { Records } from './records.ts';
import { FRIENDS, OWNERS, PAIRS, PEOPLE, type Event, type Person, type Script } from './script.ts';

const LOOK_EVERY_MS = 15;
const BEGUN_WITHIN_MS = 60_000;
const LISTEN_EVERY = 5;

/** The servers of a simulation. */
export interface Realm {
  api: TestApi;
  /** Restarts a sync node. @param node a number from 0 up to 1 */
  restartSync(node: number): Promise<void>;
  /** Cuts a sync node off from the bus, or connects it again. @param node a number from 0 up to 1 */
  setBus(node: number, isConnected: boolean): void;
}

/** The users of a simulation with their devices, links, and records. */
export class World {
  readonly api: TestApi;
  readonly links: readonly Link[];
  readonly people = {} as Record<Person, SimulatedPerson>;
  readonly records: Records;
  readonly #seed: number;
  readonly #script: Script;
  readonly #realm: Realm;
  readonly #devices: readonly Device[];
  readonly #running = new Set<Promise<unknown>>();
  #failure: unknown = null;
  #watching: Promise<void> | null = null;
  #isOver = false;

  constructor(seed: number, script: Script, realm: Realm, devices: readonly Device[]) {
    this.#seed = seed;
    this.#script = script;
    this.#realm = realm;
    this.api = realm.api;
    this.#devices = devices;
    this.records = new Records(realm.api.db);
    const { syncPorts, env } = realm.api;
    this.links = OWNERS.map((owner, i) => {
      // A device may connect to another sync node each time.
      const node = randomOf(seed * 37 + i);
      return new Link(randomOf(seed * 31 + i), () => ({
        port: syncPorts[Math.floor(node() * syncPorts.length)] as number,
        cookie: this.people[owner].cookie,
        origin: env['PUBLIC_ORIGIN'] ?? '',
      }));
    });
  }

  device = (index: number): Device => this.#devices[index] as Device;
  idOf = (person: Person): string => this.people[person].user.id;
  get userIds(): string[] {
    return PEOPLE.map(this.idOf);
  }

  /** The devices that were killed, whose latest messages may be lost. */
  get killed(): ReadonlySet<number> {
    return new Set(
      this.#script.events.flatMap((event) => (event.is === 'crash' ? [event.device] : [])),
    );
  }

  /** Creates friends, starts devices, and plays the script. Afterwards the network works again. */
  async play(): Promise<void> {
    await this.#begin();
    for (const link of this.links) link.isFaulty = true;
    for (const [turn, event] of this.#script.events.entries()) {
      await wait(event.after);
      this.#start(this.#play(event));
      if (turn % LISTEN_EVERY === 0) this.#start(this.#listen());
    }
    await Promise.allSettled(this.#running);
    if (this.#failure) throw this.#failure;
    await Promise.all(
      this.links.map(async (link, i) => {
        link.isFaulty = false;
        // Lost frames would only be noticed after timeouts of 15 seconds, so reconnect at once.
        link.cut();
        link.restore();
        await this.device(i).call('setOnline', false);
        await this.device(i).call('setOnline', true);
      }),
    );
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled([...this.#running, this.#watching]);
    await Promise.allSettled(this.#devices.map((device) => device.call('end')));
    await Promise.all(this.links.map((link) => link.close()));
  }

  async #begin(): Promise<void> {
    await Promise.all(
      PEOPLE.map(async (name) => {
        this.people[name] = await newPerson(this.api, name);
      }),
    );
    for (const [one, other] of PAIRS) {
      const { friend_request } = await withRetries(() =>
        this.people[one].call(createFriendRequest, {
          body: { receiver_user_id: this.idOf(other) },
        }),
      );
      await withRetries(() =>
        this.people[other].call(respondToFriendRequest, {
          body: { request_id: friend_request.id, action: 'accept' },
        }),
      );
    }
    await this.records.noteDocuments(this.userIds);
    await Promise.all(
      OWNERS.map(async (owner, i) => {
        const { user, cookie } = this.people[owner];
        const address = await (this.links[i] as Link).open();
        await this.device(i).call('begin', {
          user,
          network: { origin: this.api.origin, address, cookie },
          skewMs: this.#script.skewMs[i] ?? 0,
        });
      }),
    );
    // Most simulations start with all devices ready, the others on a network that is faulty from the start.
    if (this.#seed % 4 === 0) return;
    const end = Date.now() + BEGUN_WITHIN_MS;
    const isHere = async () =>
      (await this.#views()).every((views) => views.every((view) => view.isHere));
    while (!(await isHere()) && Date.now() < end) await wait(LOOK_EVERY_MS);
  }

  #start(work: Promise<unknown>): void {
    this.#running.add(work);
    void work
      .catch((error: unknown) => (this.#failure ??= error))
      .finally(() => this.#running.delete(work));
  }

  async #play(event: Event): Promise<void> {
    const { written } = this.records;
    switch (event.is) {
      case 'write': {
        const { device, friend } = event;
        const by = OWNERS[device] as Person;
        const text = `${by} to ${friend} ${randomUUID()}`;
        if (await this.device(device).call('write', { friend: this.idOf(friend), text }))
          written.push({ device, text, edits: [], by, to: friend, isAcknowledged: false });
        return;
      }
      case 'post': {
        const { person: by, friend: to } = event;
        const text = `${by} posts to ${to} ${randomUUID()}`;
        return this.#ask(async () => {
          await this.people[by].call(sendMessage, {
            body: { receiver_user_id: this.idOf(to), message_text: text },
          });
          written.push({ device: null, text, edits: [], by, to, isAcknowledged: true });
        });
      }
      case 'edit':
        return this.#ask(() => this.#edit(event.person, event.friend));
      case 'mark':
        return this.#ask(async () => {
          const { call } = this.people[event.person];
          const friendUserId = this.idOf(event.friend);
          const { messages } = await call(listMessages, { params: { friendUserId } });
          const theirs = messages.filter(({ sender_user_id }) => sender_user_id === friendUserId);
          if (theirs.length > 0)
            await call(markRead, { body: { message_ids: theirs.map(({ id }) => id) } });
        });
      case 'type':
      case 'block':
      case 'read':
        if (event.is === 'block')
          this.#watching ??= this.records
            .watchRemovals(() => this.#isOver)
            .catch((error: unknown) => void (this.#failure ??= error));
        return void (await this.device(event.device).call(event.is, {
          friend: this.idOf(event.friend),
        }));
      case 'cut':
        this.links[event.device]?.cut();
        return void (await this.device(event.device).call('setOnline', false));
      case 'restore':
        this.links[event.device]?.restore();
        return void (await this.device(event.device).call('setOnline', true));
      case 'crash':
        return void (await this.device(event.device).call('crash'));
      case 'restart-sync':
        return this.#realm.restartSync(event.node);
      case 'cut-bus':
      case 'restore-bus':
        return this.#realm.setBus(event.node, event.is === 'restore-bus');
    }
  }

  /** Edits the last message from one user to another. */
  async #edit(by: Person, to: Person): Promise<void> {
    const { call } = this.people[by];
    const params = { friendUserId: this.idOf(to) };
    const { messages } = await call(listMessages, { params });
    const last = messages.findLast(({ sender_user_id }) => sender_user_id === this.idOf(by));
    const written = this.records.written.find(
      ({ text, edits }) => last && [text, ...edits].includes(last.message_text),
    );
    if (!last || !written) return;
    const text = `${by} edits ${randomUUID()}`;
    written.edits.push(text);
    await call(editMessage, { params: { id: last.id }, body: { message_text: text } });
    // The segment was replaced, perhaps more than once.
    await this.records.noteDocuments(this.userIds);
  }

  /** Makes a call that may be refused because of a block or a sync server restart. */
  async #ask(call: () => Promise<void>): Promise<void> {
    try {
      await call();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    }
  }

  /** Returns the threads that each device shows. */
  #views = () =>
    Promise.all(
      OWNERS.map((owner, i) =>
        this.device(i).call('look', { friends: FRIENDS[owner].map(this.idOf) }),
      ),
    );

  /** Records which messages the devices show as saved on the server. */
  async #listen(): Promise<void> {
    for (const { text, isOwn, delivery } of (await this.#views())
      .flat(2)
      .flatMap(({ messages }) => messages)) {
      const written =
        isOwn &&
        delivery !== 'device' &&
        this.records.written.find((each) => [each.text, ...each.edits].includes(text));
      if (written) written.isAcknowledged = true;
    }
  }
}
