import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { join } from 'node:path';
import type { DeviceCalls, Reply } from './device-protocol.ts';

type Waiting = { resolve(answer: never): void; reject(error: Error): void };

const LOG_LENGTH = 4_000;

/** A process that runs many devices. */
export class DevicesProcess {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #devices = 0;
  /** The end of the console output of the devices. */
  #log = '';

  private constructor(child: ChildProcess) {
    this.#process = child;
    const appendLog = (text: Buffer) => {
      this.#log = (this.#log + text.toString()).slice(-LOG_LENGTH);
    };
    child.stdout?.on('data', appendLog);
    child.stderr?.on('data', appendLog);
    child.on('message', ({ id, answer, error }: Reply) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(answer as never);
      else waiting?.reject(new Error(`a device: ${error}`));
    });
    child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(this.#ended());
    });
  }

  /** @param sources the folder of another version of the product, whose devices they are */
  static async start(sources?: string): Promise<DevicesProcess> {
    const options: ForkOptions = {
      execArgv: ['--import', 'tsx'],
      // The console output of devices is hidden unless requested.
      silent: !process.env['SIMULATION_LOG'],
    };
    const child = sources
      ? fork(join(sources, 'tests/chat/simulation/devices-process.ts'), options)
      : fork(new URL('devices-process.ts', import.meta.url), options);
    const started = new DevicesProcess(child);
    await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', () => reject(started.#ended()));
    });
    return started;
  }

  newDevice(): Device {
    const device = ++this.#devices;
    return { call: (call, ...[given]) => this.#call(device, call, given ?? null) };
  }

  stop(): void {
    this.#process.kill();
  }

  #call(device: number, call: keyof DeviceCalls, given: unknown): Promise<never> {
    if (!this.#process.connected) return Promise.reject(this.#ended());
    const id = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#process.send({ id, device, call, given });
    });
  }

  #ended = (): Error => new Error(`the devices ended: ${this.#log}`);
}

/** A simulated device that runs calls. */
export interface Device {
  call<C extends keyof DeviceCalls>(
    call: C,
    ...given: DeviceCalls[C]['given'] extends null ? [] : [DeviceCalls[C]['given']]
  ): Promise<DeviceCalls[C]['answer']>;
}
