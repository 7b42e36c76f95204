import { setTimeout as wait } from 'node:timers/promises';
import type { Device } from '../../tests/chat/simulation/device.ts';
import { unfinished, untrueClaims } from './check-claims.ts';
import { DeviceSteps } from './device-steps.ts';
import { tracesOf } from './disk.ts';
import { DEVICES, FRIEND, type Step } from './script.ts';
import { ServerSteps } from './server-steps.ts';
import { upgradeStatus } from './upgrade-status.ts';
import {
  ARRIVES_WITHIN_MS,
  INDICES,
  LOOK_EVERY_MS,
  whileDatabaseFails,
  World,
  type Servers,
  type Settings,
} from './world.ts';

const NEEDS_OTHERS: ReadonlySet<Step['is']> = new Set([
  'switch-account',
  'freeze-mongodb',
  'befriend',
]);

/** How simulated devices and browsers name an edit that the server refused. */
const REFUSED_EDIT = /^messages\.edit|^PUT \/api\/messages\/\S+: 4(?!29)/u;

/** Plays one history. */
export class History {
  readonly #steps: readonly Step[];
  readonly #world: World;
  readonly #onDevices: DeviceSteps;
  readonly #onServers: ServerSteps;

  constructor(
    steps: readonly Step[],
    api: Servers,
    devices: readonly Device[],
    settings: Settings,
  ) {
    this.#steps = steps;
    this.#world = new World(api, devices, settings);
    this.#onDevices = new DeviceSteps(this.#world);
    this.#onServers = new ServerSteps(this.#world);
  }
  /** @returns what was untrue or lost */
  async play(): Promise<string[]> {
    try {
      await this.#world.begin(this.#steps.some(({ is }) => NEEDS_OTHERS.has(is)));
      for (const step of this.#steps) {
        await wait(step.after * this.#world.times.pace);
        this.#world.played.push('device' in step ? `${step.device} ${step.is}` : step.is);
        if ('device' in step)
          await this.#onDevices.play(step, step.device, this.#world.devices[step.device]!);
        else await this.#onServers.play(step);
        await this.#checkClaims();
      }
      await this.#heal();
      await this.#checkEnd();
    } catch (error) {
      this.#world.wrong.add(
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
    } finally {
      await Promise.allSettled(this.#world.devices.map((device) => device.call('end')));
      await Promise.all(this.#world.links.map((link) => link.close()));
      await this.#world.backup.remove();
    }
    return [...this.#world.wrong];
  }

  /** Returns what the screens claim, after what they say was refused. */
  async #readClaims(isWhole = false) {
    const claims = await this.#world.allClaims(isWhole);
    for (const i of INDICES)
      if (claims[i]?.refusedCalls.some((each) => REFUSED_EDIT.test(each)))
        this.#world.intents.editsRefused(i);
    return claims;
  }

  async #checkClaims(): Promise<void> {
    const claims = await this.#readClaims();
    const [disks, seen] = [
      await this.#world.disks(),
      await this.#world.devices[FRIEND]!.call('seen'),
    ];
    // What a real screen did not show before it was killed is known once it is open again.
    const isSeenKnown =
      !this.#world.areReal || claims[FRIEND]?.threads.every(({ isHere }) => isHere);
    for (const i of INDICES) {
      const made = claims[i];
      if (made?.chip.label === 'Saved') this.#world.outdated.delete(i);
      if (!made || this.#world.outdated.has(i)) continue;
      const disk = disks[DEVICES[i]];
      // A real browser decides itself when its disk is full.
      const fullSince = (!this.#world.areReal && this.#world.fullSince.get(i)) || null;
      for (const each of untrueClaims(
        i,
        made,
        this.#world.intents,
        disk,
        isSeenKnown ? new Set(seen) : null,
        fullSince,
      ))
        this.#world.wrong.add(
          `${each} (after ${this.#world.played.length}: ${this.#world.played.slice(-8).join(', ')})`,
        );
    }
  }

  async #heal(): Promise<void> {
    await whileDatabaseFails(() => this.#world.api.startSync());
    await Promise.all(
      INDICES.map(async (i) => {
        const [link, device] = [this.#world.links[i]!, this.#world.devices[i]!];
        if (!this.#world.staysSlow) link.rate = null;
        link.isFaulty = false;
        link.hold(0);
        link.cut();
        link.restore();
        await device.call('setReadMs', 0);
        await device.call('setSlowdown', 1);
        await device.call('holdCalls', 0);
        await this.#world.free(i);
        await device.call('start');
        await device.call('setOnline', false);
        await device.call('setOnline', true);
      }),
    );
  }

  async #checkEnd(): Promise<void> {
    const end = Date.now() + ARRIVES_WITHIN_MS;
    for (;;) {
      const claims = await this.#readClaims(true);
      const wrong = unfinished(
        claims,
        this.#world.intents,
        await this.#world.disks(),
        this.#world.isBlocked,
        this.#world.refused,
      );
      for (const i of this.#world.lostOpen)
        if (!claims[i]?.isLossSaid) wrong.push(`device ${i} doesn't say that its storage was lost`);
      if (wrong.length === 0) break;
      if (Date.now() > end) {
        const status = await upgradeStatus(this.#world.target(0));
        const refused = claims.flatMap((each) => each?.refusedCalls ?? []).join();
        for (const { text, kind } of this.#world.intents.due)
          if (kind === 'message' && wrong.some((each) => each.startsWith(`lost: message ${text}`)))
            this.#world.wrong.add(`${text}: ${await tracesOf(this.#world.api.db, text)}`);
        for (const each of wrong)
          this.#world.wrong.add(
            `${each} (in the end; upgrade ${status}, refused ${refused}: ${this.#world.played.join(', ')})`,
          );
        break;
      }
      await wait(LOOK_EVERY_MS * 5);
    }
    await this.#checkClaims();
  }
}
