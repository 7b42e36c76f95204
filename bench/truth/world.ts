import { setTimeout as wait } from 'node:timers/promises';
import { createFriendRequest, respondToFriendRequest } from '#shared/friends/contract.ts';
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
import { Backup } from './backup.ts';
import { Disk } from './disk.ts';
import { Intents } from './intents.ts';
import type { OwnMongodb } from './own-mongodb.ts';
import { DEVICES, type DeviceIndex, type Person } from './script.ts';
import type { Target } from './upgrade-status.ts';

const BEGUN_WITHIN_MS = 60_000;
/** The time in which everything must have arrived once all works, even on a busy machine. */
export const ARRIVES_WITHIN_MS = 60_000;
export const LOOK_EVERY_MS = 20;
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
export const INDICES = DEVICES.map((_, i) => i as DeviceIndex);

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

export interface Settings {
  /** Returns the line of a device. @param target returns the server to which it leads */
  lineOf(i: DeviceIndex, target: () => Target): Line;
  /** Whether the devices are browsers, whose time passes like ours. */
  areReal?: boolean;
  /** Whether a slow line is slow in the end, too. */
  staysSlow?: boolean;
}

/** Ann, who has two devices, and her friend Bob, with their devices, lines and servers, and what they wrote. */
export class World {
  readonly api: Servers;
  readonly devices: readonly Device[];
  readonly links: readonly Line[];
  readonly times: (typeof TIMES)['real'];
  readonly areReal: boolean;
  readonly staysSlow: boolean;
  readonly intents: Intents;
  readonly people = {} as Record<Person | 'cas', SimulatedPerson>;
  readonly wrong = new Set<string>();
  readonly backup: Backup;
  readonly disk: Disk;
  isBlocked = false;
  /** The devices that can't know that the servers were restored from a backup since they last compared. */
  readonly outdated = new Set<DeviceIndex>();
  readonly offline = new Set<DeviceIndex>();
  /** The devices that lost their storage under the open app. */
  readonly lostOpen = new Set<DeviceIndex>();
  /** The devices on which something was written that the server refuses. */
  readonly refused = new Set<DeviceIndex>();
  /** Since when the disks of devices are full, in ms. */
  readonly fullSince = new Map<DeviceIndex, number>();
  /** Of the sessions after the first, by device. */
  readonly cookies: (string | undefined)[] = [];
  /** Steps so far, to tell where a claim was untrue. */
  readonly played: string[] = [];

  constructor(api: Servers, devices: readonly Device[], settings: Settings) {
    this.api = api;
    this.backup = new Backup(api.db, api.env);
    this.devices = devices;
    this.disk = new Disk(api.db);
    this.areReal = settings.areReal ?? false;
    this.staysSlow = settings.staysSlow ?? false;
    this.times = TIMES[this.areReal ? 'real' : 'simulated'];
    this.intents = new Intents(this.times.storedWithinMs);
    this.links = INDICES.map((i) => settings.lineOf(i, () => this.target(i)));
  }

  /** @param hasOthers whether somebody who is no friend is needed, too */
  async begin(hasOthers: boolean): Promise<void> {
    for (const name of ['ann', 'bob', ...(hasOthers ? (['cas'] as const) : [])] as const)
      this.people[name] = await this.stored(() => newPerson(this.api, name), true);
    const { ann, bob } = this.people;
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
        const { user, cookie } = this.people[DEVICES[i]];
        const address = await this.links[i]!.open();
        const network = { origin: this.api.origin, address, cookie };
        await this.devices[i]!.call('begin', { user, network, skewMs: 0 });
      }),
    );
    const end = Date.now() + BEGUN_WITHIN_MS;
    for (;;) {
      const claims = await this.allClaims();
      const isHere = claims.every((each) => each?.dogs && each.threads.every((one) => one.isHere));
      if (isHere || Date.now() > end) return;
      await wait(LOOK_EVERY_MS * 5);
    }
  }

  /**
   * Does what a MongoDB that is killed afterwards still has.
   * @param hasSession whether it opens a session, which one that is killed meanwhile may forget
   */
  stored<T>(work: () => Promise<T>, hasSession = false): Promise<T> {
    const { db } = this.api;
    const isForgotten = (error: unknown) =>
      hasSession && error instanceof CallError && error.status === 401;
    return whileDatabaseFails(async () => {
      const done = await work();
      // Writes are journaled in order.
      await db.collection('stored').insertOne({}, { writeConcern: await durable(db.client) });
      return done;
    }, isForgotten);
  }

  idOf = (person: Person | 'cas'): string => this.people[person].user.id;
  friendOf = (device: DeviceIndex): string => this.idOf(DEVICES[device] === 'ann' ? 'bob' : 'ann');

  target = (i: DeviceIndex): Target => ({
    port: this.api.syncPort,
    cookie: this.cookies[i] ?? this.people[DEVICES[i]].cookie,
    origin: this.api.env['PUBLIC_ORIGIN'] ?? '',
  });
  claimsOf = (i: DeviceIndex, isWhole = false) =>
    this.devices[i]!.call('claims', { friends: [this.friendOf(i)], isWhole });
  allClaims = (isWhole = false) => Promise.all(INDICES.map((i) => this.claimsOf(i, isWhole)));
  disks = async () => {
    const [ann, bob] = [this.idOf('ann'), this.idOf('bob')];
    const all = await whileDatabaseFails(() =>
      this.disk.read([ann, bob], this.intents.typed.size > 0),
    );
    return { ann: all[ann]!, bob: all[bob]! };
  };

  async free(i: DeviceIndex): Promise<void> {
    await this.devices[i]!.call('setFull', false);
    // What waits is stored a moment later. Until then, the app may still be killed.
    if (this.fullSince.has(i)) await wait(this.times.storesAgainWithinMs);
    this.fullSince.delete(i);
  }

  /** The app on a device is about to end: what it says that it can't store is lost. */
  async excuseUnstored(i: DeviceIndex): Promise<void> {
    const since = this.fullSince.get(i);
    if (since === undefined) return;
    const claims = await this.claimsOf(i);
    if (claims?.chip.explanation.includes('can’t store your edits'))
      this.intents.unstored(i, since);
  }
}

/** Repeats work of the history itself while a MongoDB that was killed or frozen is not there. */
export async function whileDatabaseFails<T>(
  work: () => Promise<T>,
  isForgotten: (error: unknown) => boolean = () => false,
): Promise<T> {
  const end = Date.now() + BEGUN_WITHIN_MS;
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!(databaseTrouble(error) || isForgotten(error)) || Date.now() > end) throw error;
      await wait(LOOK_EVERY_MS * 5);
    }
}
