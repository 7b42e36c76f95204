import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { listMessages } from '#shared/chat/contract.ts';
import { createFriendRequest, respondToFriendRequest } from '#shared/friends/contract.ts';
import { decideReport } from '#shared/moderation/admin-contract.ts';
import { reportMessage } from '#shared/moderation/contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { databaseTrouble } from '#shared/server/database-errors.ts';
import { durable } from '#shared/server/write-concern.ts';
import { CallError } from '../../client/platform/http/api-client.ts';
import type { TestApi } from '../../tests/api.ts';
import type { Device } from '../../tests/chat/simulation/device.ts';
import {
  newPerson,
  withRetries,
  type SimulatedPerson,
} from '../../tests/chat/simulation/people.ts';
import { addSession } from '../../tests/sync.ts';
import { Backup } from './backup.ts';
import { unfinished, untrueClaims } from './check-claims.ts';
import { Disk, tracesOf } from './disk.ts';
import { Intents } from './intents.ts';
import type { OwnMongodb } from './own-mongodb.ts';
import { DEVICES, FRIEND, type DeviceIndex, type Person, type Step } from './script.ts';
import { type Target, upgradeStatus } from './upgrade-status.ts';

const BEGUN_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 20;
/** The time in which everything must have arrived once all works, even on a busy machine. */
const ARRIVES_WITHIN_MS = 60_000;
const SLOW_READS_MS = 120;
/** How much slower a processor gets, beside once. */
const SLOWDOWN_MAX = 5;
/** The longest time for which a server is frozen; for devices, it is ten times as long. */
const FROZEN_MS = 4_000;
/** How long a frozen primary may stop durable writes. */
const DURABLE_WITHIN_MS = 10_000;
const API_DOWN_MS = 1_500;
/** How often somebody pauses who types much. */
const PAUSES = 25;
/** For how many operations there is room in a document that is nearly full. */
const ROOM_OF_FULL = 60;
/** What depends on how fast time passes on the devices. */
const TIMES = {
  /** On simulated ones it passes ten times faster. */
  simulated: {
    /** How many times longer the pauses between steps are than in the script. */
    pace: 1,
    /** Bytes per second. */
    slowLine: 20_000,
    /** The pause between two attempts of a device to store something, with room for the attempt. */
    storesAgainWithinMs: 800,
    /** When a device that runs has stored something. */
    storedWithinMs: 300,
  },
  real: { pace: 4, slowLine: 2_000, storesAgainWithinMs: 8_000, storedWithinMs: 2_000 },
};
const INDICES = DEVICES.map((_, i) => i as DeviceIndex);

/** The servers of a history. */
export type Servers = Pick<
  TestApi,
  'db' | 'origin' | 'syncPort' | 'env' | 'stopSync' | 'startSync' | 'stopApi' | 'startApi'
> & {
  asAdmin(): Promise<Pick<SimulatedPerson, 'call'>>;
  /** One that may be frozen and killed. */
  mongodb?: OwnMongodb | undefined;
};
/** The line from a device to the servers. */
export interface Line {
  /** Bytes per second; null for no limit. */
  rate: number | null;
  /** Whether it loses, doubles and reorders. */
  isFaulty: boolean;
  /** @returns the `host:port` that the device connects to */
  open(): Promise<string>;
  cut(): void;
  restore(): void;
  /** The sync server is frozen for so long, in ms. */
  hold(ms: number): void;
  close(): Promise<void>;
}

interface Settings {
  /** Returns the line of a device. @param target returns the server to which it leads */
  lineOf(i: DeviceIndex, target: () => Target): Line;
  /** Whether the devices are browsers, whose time passes like ours. */
  areReal?: boolean;
  /** Whether a slow line is slow in the end, too. */
  staysSlow?: boolean;
}

type DeviceStep = Extract<Step, { device: DeviceIndex }>;

/** Plays one history of Ann, who has two devices, and her friend Bob. */
export class History {
  readonly #api: Servers;
  readonly #steps: readonly Step[];
  readonly #devices: readonly Device[];
  readonly #links: readonly Line[];
  readonly #times: (typeof TIMES)['real'];
  readonly #areReal: boolean;
  readonly #staysSlow: boolean;
  readonly #intents: Intents;
  readonly #people = {} as Record<Person | 'cas', SimulatedPerson>;
  readonly #wrong = new Set<string>();
  readonly #backup: Backup;
  readonly #disk: Disk;
  #isBlocked = false;
  /** The devices that can't know that the servers were restored from a backup since they last compared. */
  readonly #outdated = new Set<DeviceIndex>();
  /** The devices that lost their storage under the open app. */
  readonly #lostOpen = new Set<DeviceIndex>();
  /** The devices on which something was written that the server refuses. */
  readonly #refused = new Set<DeviceIndex>();
  /** Since when the disks of devices are full, in ms. */
  readonly #fullSince = new Map<DeviceIndex, number>();
  /** Of the sessions after the first, by device. */
  readonly #cookies: (string | undefined)[] = [];
  /** Steps so far, to tell where a claim was untrue. */
  readonly #played: string[] = [];

  constructor(
    steps: readonly Step[],
    api: Servers,
    devices: readonly Device[],
    settings: Settings,
  ) {
    this.#steps = steps;
    this.#api = api;
    this.#backup = new Backup(api.db, api.env);
    this.#devices = devices;
    this.#disk = new Disk(api.db);
    this.#areReal = settings.areReal ?? false;
    this.#staysSlow = settings.staysSlow ?? false;
    this.#times = TIMES[this.#areReal ? 'real' : 'simulated'];
    this.#intents = new Intents(this.#times.storedWithinMs);
    this.#links = INDICES.map((i) => settings.lineOf(i, () => this.#target(i)));
  }
  /** @returns what was untrue or lost */
  async play(): Promise<string[]> {
    try {
      await this.#begin();
      for (const step of this.#steps) {
        await wait(step.after * this.#times.pace);
        this.#played.push('device' in step ? `${step.device} ${step.is}` : step.is);
        await this.#playOne(step);
        await this.#checkClaims();
      }
      await this.#heal();
      await this.#checkEnd();
    } catch (error) {
      this.#wrong.add(error instanceof Error ? (error.stack ?? error.message) : String(error));
    } finally {
      await Promise.allSettled(this.#devices.map((device) => device.call('end')));
      await Promise.all(this.#links.map((link) => link.close()));
      await this.#backup.remove();
    }
    return [...this.#wrong];
  }

  /** Does what a MongoDB that is killed afterwards still has. */
  #stored<T>(work: () => Promise<T>): Promise<T> {
    const { db } = this.#api;
    return whileDatabaseFails(async () => {
      const done = await work();
      // Writes are journaled in order.
      await db.collection('stored').insertOne({}, { writeConcern: await durable(db.client) });
      return done;
    });
  }

  #idOf = (person: Person | 'cas'): string => this.#people[person].user.id;
  #friendOf = (device: DeviceIndex): string =>
    this.#idOf(DEVICES[device] === 'ann' ? 'bob' : 'ann');

  async #begin(): Promise<void> {
    for (const name of ['ann', 'bob', 'cas'] as const)
      this.#people[name] = await this.#stored(() => newPerson(this.#api, name));
    const { ann, bob } = this.#people;
    const { friend_request } = await withRetries(() =>
      ann.call(createFriendRequest, { body: { receiver_user_id: bob.user.id } }),
    );
    await withRetries(() =>
      bob.call(respondToFriendRequest, {
        body: { request_id: friend_request.id, action: 'accept' },
      }),
    );
    await Promise.all(
      INDICES.map(async (i) => {
        const { user, cookie } = this.#people[DEVICES[i]];
        const address = await this.#links[i]!.open();
        const network = { origin: this.#api.origin, address, cookie };
        await this.#devices[i]!.call('begin', { user, network, skewMs: 0 });
      }),
    );
    const end = Date.now() + BEGUN_WITHIN_MS;
    for (;;) {
      const claims = await this.#allClaims();
      const isHere = claims.every((each) => each?.dogs && each.threads.every((one) => one.isHere));
      if (isHere || Date.now() > end) return;
      await wait(LOOK_EVERY_MS);
    }
  }

  #target = (i: DeviceIndex): Target => ({
    port: this.#api.syncPort,
    cookie: this.#cookies[i] ?? this.#people[DEVICES[i]].cookie,
    origin: this.#api.env['PUBLIC_ORIGIN'] ?? '',
  });
  #claimsOf = (i: DeviceIndex, isWhole = false) =>
    this.#devices[i]!.call('claims', { friends: [this.#friendOf(i)], isWhole });
  #allClaims = (isWhole = false) => Promise.all(INDICES.map((i) => this.#claimsOf(i, isWhole)));
  #disks = async () => {
    const [ann, bob] = [this.#idOf('ann'), this.#idOf('bob')];
    const all = await whileDatabaseFails(() => this.#disk.read([ann, bob]));
    return { ann: all[ann]!, bob: all[bob]! };
  };

  async #checkClaims(): Promise<void> {
    const claims = await this.#allClaims();
    const [disks, seen] = [await this.#disks(), await this.#devices[FRIEND]!.call('seen')];
    // What a real screen did not show before it was killed is known once it is open again.
    const isSeenKnown = !this.#areReal || claims[FRIEND]?.threads.every(({ isHere }) => isHere);
    for (const i of INDICES) {
      const made = claims[i];
      if (made?.chip.label === 'Saved') this.#outdated.delete(i);
      if (!made || this.#outdated.has(i)) continue;
      const disk = disks[DEVICES[i]];
      // A real browser decides itself when its disk is full.
      const fullSince = (!this.#areReal && this.#fullSince.get(i)) || null;
      for (const each of untrueClaims(
        i,
        made,
        this.#intents,
        disk,
        isSeenKnown ? new Set(seen) : null,
        fullSince,
      ))
        this.#wrong.add(
          `${each} (after ${this.#played.length}: ${this.#played.slice(-8).join(', ')})`,
        );
    }
  }

  async #playOne(step: Step): Promise<void> {
    if ('device' in step) return this.#playOn(step, step.device, this.#devices[step.device]!);
    switch (step.is) {
      case 'kill-sync':
        await this.#api.stopSync();
        return this.#api.startSync();
      case 'stop-sync':
        return this.#api.stopSync();
      case 'start-sync':
        return this.#api.startSync();
      case 'kill-api':
        await this.#api.stopApi();
        await wait(step.chance * API_DOWN_MS);
        return this.#api.startApi();
      case 'freeze-sync':
        for (const link of this.#links) link.hold(step.chance * FROZEN_MS);
        return;
      case 'freeze-api':
        await Promise.all(
          this.#devices.map((device) => device.call('holdCalls', step.chance * FROZEN_MS)),
        );
        return;
      case 'freeze-mongodb':
        return this.#freezeMongodb(step.chance * FROZEN_MS);
      case 'kill-mongodb':
        return this.#api.mongodb?.kill();
      case 'back-up':
        return this.#undisturbed(() => this.#backup.create());
      case 'restore':
        await this.#api.stopApi();
        await this.#api.stopSync();
        for (const i of INDICES) this.#outdated.add(i);
        // What a device does not send again.
        this.#intents.typed.clear();
        try {
          await this.#undisturbed(() => this.#backup.restore());
        } finally {
          await whileDatabaseFails(() => this.#api.startSync());
          await whileDatabaseFails(() => this.#api.startApi());
        }
        return;
    }
  }

  /** Does what no other history may kill the MongoDB under. */
  #undisturbed = (work: () => Promise<void>): Promise<void> =>
    this.#api.mongodb?.undisturbed(work) ?? work();

  /** Durable writes go on while one of several servers is frozen. */
  async #freezeMongodb(ms: number): Promise<void> {
    const { mongodb } = this.#api;
    if (!mongodb) return;
    const thaw = await mongodb.freeze();
    const frozenAt = performance.now();
    try {
      if (!mongodb.isReplicated) return await wait(ms);
      const body = { display_name: 'cas', is_location_sharing_enabled: false };
      const isWritten = () =>
        this.#people.cas.call(saveProfile, { body }).then(
          () => true,
          () => false,
        );
      const stoppedMs = () => performance.now() - frozenAt;
      while (!(await isWritten()) && stoppedMs() < ARRIVES_WITHIN_MS) await wait(LOOK_EVERY_MS * 5);
      if (stoppedMs() > DURABLE_WITHIN_MS)
        this.#wrong.add(
          `a frozen primary stopped durable writes for ${Math.round(stoppedMs())} ms`,
        );
    } finally {
      thaw();
    }
  }

  async #playOn({ is, chance }: DeviceStep, i: DeviceIndex, device: Device): Promise<void> {
    const by = DEVICES[i];
    const friend = this.#friendOf(i);
    const text = `${by} ${randomUUID().slice(0, 8)}`;
    switch (is) {
      case 'write':
        // Other devices show a thread until they hear of its end.
        if (await device.call('write', { friend, text }))
          this.#intents.add('message', text, by, i, this.#isBlocked ? 'blocked' : null);
        return;
      case 'add-dog':
        if (await device.call('addDog', { name: text })) this.#intents.add('dog', text, by, i);
        return;
      case 'draft':
        return this.#type(i, device, text);
      case 'type':
        for (let pause = 0; pause < PAUSES; pause++)
          await this.#type(i, device, text + '.'.repeat(pause));
        return;
      case 'change-refused':
        if (await device.call('changeRefused')) this.#refused.add(i);
        return;
      case 'fill-account':
        return void (await device.call('fillAccount', ROOM_OF_FULL));
      case 'read': {
        const read = await device.call('read', { friend });
        if (i === FRIEND) for (const each of read) this.#intents.read.add(each);
        return;
      }
      case 'unsend':
        return this.#unsend(i, device, chance);
      case 'remove':
        return this.#remove(by, chance);
      case 'offline':
        this.#links[i]!.cut();
        return void (await device.call('setOnline', false));
      case 'online':
        this.#links[i]!.restore();
        return void (await device.call('setOnline', true));
      case 'kill':
        this.#lostOpen.delete(i);
        this.#intents.killed(i);
        await this.#excuseUnstored(i);
        return void (await device.call('kill'));
      case 'start':
        return void (await device.call('start'));
      case 'slow-line':
        this.#links[i]!.rate = this.#times.slowLine;
        return;
      case 'lossy-line':
        this.#links[i]!.isFaulty = true;
        return;
      case 'full-disk':
        if (!this.#fullSince.has(i)) this.#fullSince.set(i, Date.now());
        return void (await device.call('setFull', true));
      case 'free-disk':
        await this.#free(i);
        return;
      case 'slow-reads':
        return void (await device.call('setReadMs', chance * SLOW_READS_MS));
      case 'slow-processor':
        return void (await device.call('setSlowdown', 1 + chance * SLOWDOWN_MAX));
      case 'damage':
        return void (await device.call('damage', chance));
      case 'end-session':
      case 'switch-account':
        return this.#newSession(i, device, is === 'switch-account');
      case 'lose-documents':
      case 'lose-everything':
        return this.#lose(i, device, is);
      case 'block':
        await device.call('block', { friend });
        this.#isBlocked = true;
        // It can't be sent any more.
        this.#intents.typed.clear();
        return this.#intents.blocked();
    }
  }

  async #type(i: DeviceIndex, device: Device, text: string): Promise<void> {
    const isTaken = await device.call('draft', { friend: this.#friendOf(i), text });
    // A real composer empties it with the next message, and its browser stores it late.
    if (isTaken && !this.#areReal && !this.#isBlocked)
      this.#intents.typed.set(DEVICES[i], { text, device: i });
  }

  async #free(i: DeviceIndex): Promise<void> {
    await this.#devices[i]!.call('setFull', false);
    // What waits is stored a moment later. Until then, the app may still be killed.
    if (this.#fullSince.has(i)) await wait(this.#times.storesAgainWithinMs);
    this.#fullSince.delete(i);
  }

  /** The app on a device is about to end: what it says that it can't store is lost. */
  async #excuseUnstored(i: DeviceIndex): Promise<void> {
    const since = this.#fullSince.get(i);
    if (since === undefined) return;
    const claims = await this.#claimsOf(i);
    if (claims?.chip.explanation.includes('can’t store your edits'))
      this.#intents.unstored(i, since);
  }

  /** Unsends a message of the device's owner from any of their devices. */
  async #unsend(i: DeviceIndex, device: Device, chance: number): Promise<void> {
    const [claims, friend] = [await this.#claimsOf(i), this.#friendOf(i)];
    const sent = (claims?.threads ?? [])
      .flatMap(({ messages }) => messages)
      .filter(({ isOwn, delivery }) => isOwn && delivery !== 'device' && delivery !== 'held');
    const message = sent[Math.floor(chance * sent.length)];
    const intent = message && this.#intents.find(message.text);
    if (!intent) return;
    intent.isRemoved = true;
    intent.removal = { device: i, at: Date.now() };
    if (await device.call('unsend', { friend, text: intent.text })) return;
    intent.isRemoved = false;
    intent.removal = null;
  }

  /** A friend reports a message, and a moderator removes it. */
  async #remove(author: Person, chance: number): Promise<void> {
    const reporter = this.#people[author === 'ann' ? 'bob' : 'ann'];
    try {
      const { messages } = await reporter.call(listMessages, {
        params: { friendUserId: this.#idOf(author) },
        query: {},
      });
      const theirs = messages.filter(({ sender_user_id }) => sender_user_id === this.#idOf(author));
      const message = theirs[Math.floor(chance * theirs.length)];
      const intent = message && this.#intents.find(message.message_text);
      if (!intent || intent.isRemoved) return;
      const { report } = await reporter.call(reportMessage, {
        body: {
          reported_user_id: this.#idOf(author),
          message_id: message.id,
          report_type: 'harassment',
          description: 'A message of the simulation',
        },
      });
      intent.isRemoved = true;
      const admin = await this.#api.asAdmin();
      const row = await this.#api.db
        .collection<{ _id: string; version: number }>('message_reports')
        .findOne({ _id: report.id });
      await admin.call(decideReport, {
        params: { id: report.id },
        body: { version: row?.version ?? 0, status: 'resolved', remove_message: true },
      });
    } catch (error) {
      // The servers may be down, and the thread may have ended.
      if (!(error instanceof CallError || databaseTrouble(error))) throw error;
    }
  }

  /** The session ends other than by logout, perhaps someone else signs in, and the owner does again. */
  async #newSession(i: DeviceIndex, device: Device, isSwitched: boolean): Promise<void> {
    this.#lostOpen.delete(i);
    await this.#excuseUnstored(i);
    await device.call('endSession');
    const signIn = async (person: Person | 'cas') => {
      const { user } = this.#people[person];
      const cookie = await this.#stored(() => addSession(this.#api.db, user.id));
      this.#cookies[i] = cookie;
      await device.call('signIn', { user, cookie });
    };
    if (isSwitched) {
      await signIn('cas');
      await wait(LOOK_EVERY_MS);
      await device.call('endSession');
    }
    await signIn(DEVICES[i]);
  }

  async #lose(i: DeviceIndex, device: Device, is: 'lose-documents' | 'lose-everything') {
    if (is === 'lose-documents') return void (await device.call('lose', 'documents'));
    if (await this.#claimsOf(i)) this.#lostOpen.add(i);
    await device.call('lose', 'everything');
    this.#intents.excuse('lost storage', (intent) => intent.device === i);
  }

  async #heal(): Promise<void> {
    await this.#api.startSync();
    await Promise.all(
      INDICES.map(async (i) => {
        const [link, device] = [this.#links[i]!, this.#devices[i]!];
        if (!this.#staysSlow) link.rate = null;
        link.isFaulty = false;
        link.hold(0);
        link.cut();
        link.restore();
        await device.call('setReadMs', 0);
        await device.call('setSlowdown', 1);
        await device.call('holdCalls', 0);
        await this.#free(i);
        await device.call('start');
        await device.call('setOnline', false);
        await device.call('setOnline', true);
      }),
    );
  }

  async #checkEnd(): Promise<void> {
    const end = Date.now() + ARRIVES_WITHIN_MS;
    for (;;) {
      const claims = await this.#allClaims(true);
      const wrong = unfinished(
        claims,
        this.#intents,
        await this.#disks(),
        this.#isBlocked,
        this.#refused,
      );
      for (const i of this.#lostOpen)
        if (!claims[i]?.isLossSaid) wrong.push(`device ${i} doesn't say that its storage was lost`);
      if (wrong.length === 0) break;
      if (Date.now() > end) {
        const status = await upgradeStatus(this.#target(0));
        const refused = claims.flatMap((each) => each?.refusedCalls ?? []).join();
        for (const { text, kind } of this.#intents.due)
          if (kind === 'message' && wrong.some((each) => each.startsWith(`lost: message ${text}`)))
            this.#wrong.add(`${text}: ${await tracesOf(this.#api.db, text)}`);
        for (const each of wrong)
          this.#wrong.add(
            `${each} (in the end; upgrade ${status}, refused ${refused}: ${this.#played.join(', ')})`,
          );
        break;
      }
      await wait(LOOK_EVERY_MS * 5);
    }
    await this.#checkClaims();
  }
}

/** Repeats work of the history itself while a MongoDB that was killed or frozen is not there. */
async function whileDatabaseFails<T>(work: () => Promise<T>): Promise<T> {
  const end = Date.now() + BEGUN_WITHIN_MS;
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!databaseTrouble(error) || Date.now() > end) throw error;
      await wait(LOOK_EVERY_MS * 5);
    }
}
