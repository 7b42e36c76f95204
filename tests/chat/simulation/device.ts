import { fork, type ChildProcess } from 'node:child_process';
import type { DeviceCalls, Reply } from './device-words.ts';

type Waiting = { resolve(answer: never): void; reject(error: Error): void };

/** A device that runs in a process of its own, used by one simulation after the other. */
export class Device {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;

  private constructor(child: ChildProcess) {
    this.#process = child;
    child.on('message', ({ id, answer, error }: Reply) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(answer as never);
      else waiting?.reject(new Error(`a device: ${error}`));
    });
    child.on('exit', (code) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`a device ended: ${code}`));
    });
  }

  static async start(): Promise<Device> {
    const child = fork(new URL('device-process.ts', import.meta.url), {
      execArgv: ['--import', 'tsx'],
      // What a device says to its console is nothing to the tests, unless they ask.
      silent: !process.env['SIMULATION_LOG'],
    });
    child.stdout?.resume();
    child.stderr?.resume();
    await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code) => reject(new Error(`a device did not start: ${code}`)));
    });
    return new Device(child);
  }

  call<C extends keyof DeviceCalls>(
    call: C,
    ...[given]: DeviceCalls[C]['given'] extends null ? [] : [DeviceCalls[C]['given']]
  ): Promise<DeviceCalls[C]['answer']> {
    const id = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#process.send({ id, call, given: given ?? null });
    });
  }

  stop(): void {
    this.#process.removeAllListeners('exit');
    this.#process.kill();
  }
}
