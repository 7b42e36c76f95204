import { setTimeout as wait } from 'node:timers/promises';
import { listDogs } from '#shared/dogs/contract.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import type { Writer } from '../../bench/kill/writer.ts';
import { writers } from '../../bench/kill/writers.ts';
import { CallError } from '../../client/platform/http/api-client.ts';
import type { Visitor } from '../../scripts/session/api-session.ts';
import type { Cluster } from './cluster.ts';

/** With the ten owners who write and chat: twenty. */
const WALKERS = 10;
const STEP_MS = 2_000;
/** Leaves time of the cores to the other processes. */
const PAUSE_MS = 500;
/** Failed calls that a failed test names. */
const FAILURES_SHOWN = 10;

/** Twenty owners who write, walk and chat. */
export interface Load {
  writers: Writer[];
  /** Failures of calls other than 4xx and 503, each with its time, its status and the test that ran. */
  unexpected: string[];
  /** The last failed calls of any kind, with their times. */
  lastFailures: string[];
  /** The test that is running. */
  test: string;
  /** Whether calls may get no answer at all, because the gateway is gone. */
  isUnreachable: boolean;
  /** Ends all writing and walking. */
  end(): Promise<void>;
  /** Ends it, and closes the devices. */
  close(): Promise<void>;
}

/** Starts twenty owners at the gateway of a cluster. */
export async function startLoad({ origin, createOwner }: Cluster): Promise<Load> {
  const over = new AbortController();
  const using: Promise<void>[] = [];
  let steps = 0;

  function note(error: unknown): void {
    const status = error instanceof CallError ? error.status : -1;
    const failure = `${new Date().toISOString()} ${status} ${String(error)}`;
    load.lastFailures.push(failure);
    if (load.lastFailures.length > FAILURES_SHOWN) load.lastFailures.shift();
    if (status === 503 || (status >= 400 && status < 500)) return;
    if (status !== 0 || !load.isUnreachable) load.unexpected.push(`${failure} (${load.test})`);
  }

  async function repeat(call: () => Promise<unknown>): Promise<void> {
    while (!over.signal.aborted) {
      await call().catch(note);
      await wait(STEP_MS);
    }
  }

  /** Walks north, each owner on a street of their own. */
  const walk = ({ call }: Visitor, index: number): Promise<void> =>
    repeat(() => {
      steps += 1;
      const place = { latitude: 40 + steps / 1_000_000, longitude: 20 + index / 100 };
      return call(reportLocation, { body: place });
    });

  const load: Load = {
    writers: await writers(origin, note, PAUSE_MS),
    unexpected: [],
    lastFailures: [],
    test: '',
    isUnreachable: false,
    async end() {
      over.abort();
      await Promise.all(using);
    },
    async close() {
      await load.end();
      for (const writer of load.writers) writer.close();
    },
  };
  for (let index = 0; index < WALKERS; index++) {
    const owner = await createOwner(`walker-${index}`);
    using.push(
      walk(owner, index),
      repeat(() => owner.call(listDogs)),
    );
  }
  for (const writer of load.writers) using.push(writer.run(over.signal));
  return load;
}
