import { setTimeout as wait } from 'node:timers/promises';
import { saveProfile } from '#shared/profile/contract.ts';
import type { DeviceIndex, Step } from './script.ts';
import {
  ARRIVES_WITHIN_MS,
  INDICES,
  LOOK_EVERY_MS,
  whileDatabaseFails,
  type World,
} from './world.ts';

/** The longest time for which a server is frozen; for devices, it is ten times as long. */
const FROZEN_MS = 4_000;
/** How long a frozen primary may stop durable writes. */
const DURABLE_WITHIN_MS = 10_000;
const API_DOWN_MS = 1_500;

type ServerStep = Exclude<Step, { device: DeviceIndex }>;

/** Plays the steps that happen to servers. */
export class ServerSteps {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  async play(step: ServerStep): Promise<void> {
    switch (step.is) {
      case 'kill-sync':
        await this.#world.api.stopSync();
        return this.#startSync();
      case 'stop-sync':
        return this.#world.api.stopSync();
      case 'start-sync':
        return this.#startSync();
      case 'kill-api':
        await this.#world.api.stopApi();
        await wait(step.chance * API_DOWN_MS);
        return this.#startApi();
      case 'freeze-sync':
        for (const link of this.#world.links) link.hold(step.chance * FROZEN_MS);
        return;
      case 'freeze-api':
        await Promise.all(
          this.#world.devices.map((device) => device.call('holdCalls', step.chance * FROZEN_MS)),
        );
        return;
      case 'freeze-mongodb':
        return this.#freezeMongodb(step.chance * FROZEN_MS);
      case 'kill-mongodb':
        return this.#world.api.mongodb?.kill();
      case 'back-up':
        return this.#undisturbed(() => this.#world.backup.create());
      case 'restore':
        await this.#world.api.stopApi();
        await this.#world.api.stopSync();
        for (const i of INDICES) this.#world.outdated.add(i);
        // What a device does not send again.
        this.#world.intents.typed.clear();
        await this.#noteArrived();
        try {
          await this.#undisturbed(() => this.#world.backup.restore());
        } finally {
          await this.#startSync();
          await this.#startApi();
        }
        return;
    }
  }

  async #noteArrived(): Promise<void> {
    const disks = await this.#world.disks();
    for (const intent of this.#world.intents.all) {
      const { messages, dogs, pictured } = disks[intent.by];
      const { text } = intent;
      intent.hasArrived = messages.has(text) || dogs.has(text);
      // A device doesn't send pictures again.
      if (pictured.has(text)) intent.hasPhoto = false;
    }
  }

  // Another history may have killed the MongoDB. Without servers, all that follow would fail.
  #startSync = (): Promise<void> => whileDatabaseFails(() => this.#world.api.startSync());
  #startApi = (): Promise<void> => whileDatabaseFails(() => this.#world.api.startApi());

  /** Does what no other history may kill the MongoDB under. */
  #undisturbed = (work: () => Promise<void>): Promise<void> =>
    this.#world.api.mongodb?.undisturbed(work) ?? work();

  /** Durable writes go on while one of several servers is frozen. */
  async #freezeMongodb(ms: number): Promise<void> {
    const { mongodb } = this.#world.api;
    if (!mongodb) return;
    const thaw = await mongodb.freeze();
    const frozenAt = performance.now();
    try {
      if (!mongodb.isReplicated) return await wait(ms);
      const body = { display_name: 'cas', is_location_sharing_enabled: false };
      const isWritten = () =>
        this.#world.people.cas.call(saveProfile, { body }).then(
          () => true,
          () => false,
        );
      const stoppedMs = () => performance.now() - frozenAt;
      while (!(await isWritten()) && stoppedMs() < ARRIVES_WITHIN_MS) await wait(LOOK_EVERY_MS * 5);
      if (stoppedMs() > DURABLE_WITHIN_MS)
        this.#world.wrong.add(
          `a frozen primary stopped durable writes for ${Math.round(stoppedMs())} ms`,
        );
    } finally {
      thaw();
    }
  }
}
