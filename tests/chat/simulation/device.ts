import { fork, type ChildProcess } from 'node:child_process';
import type { DeviceCalls, Reply } from './device-words.ts';

type Waiting = { resolve(answer: never): void; reject(error: Error): void };

const LOG_KEPT = 4_000;

/** A device that runs in a process of its own, used by one simulation after the other. */
export class Device {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  /** The end of what the device said on its console. */
  #log = '';

  private constructor(child: ChildProcess) {
    this.#process = child;
    const keep = (text: Buffer) => {
      this.#log = (this.#log + text.toString()).slice(-LOG_KEPT);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
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

  static async start(): Promise<Device> {
    const child = fork(new URL('device-process.ts', import.meta.url), {
      execArgv: ['--import', 'tsx'],
      // What a device says to its console is nothing to the tests, unless they ask.
      silent: !process.env['SIMULATION_LOG'],
    });
    const device = new Device(child);
    await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', () => reject(device.#ended()));
    });
    return device;
  }

  call<C extends keyof DeviceCalls>(
    call: C,
    ...[given]: DeviceCalls[C]['given'] extends null ? [] : [DeviceCalls[C]['given']]
  ): Promise<DeviceCalls[C]['answer']> {
    if (!this.#process.connected) return Promise.reject(this.#ended());
    const id = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#process.send({ id, call, given: given ?? null });
    });
  }

  stop(): void {
    this.#process.kill();
  }

  #ended = (): Error => new Error(`a device ended: ${this.#log}`);
}
