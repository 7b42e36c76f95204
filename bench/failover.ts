import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createDog, listDogs, updateDog } from '#shared/dogs/contract.ts';
import { renewFriendLink } from '#shared/friend-links/contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { CallError } from '../client/platform/http/api-client.ts';
import { ELECTION } from '../scripts/docker/election.ts';
import { onPath } from '../scripts/stack/programs.ts';
import { startReplicaSet, type ReplicaSet } from '../scripts/test/replica-set.ts';
import { startTestApi, type TestPerson } from '../tests/api.ts';
import type { BenchRow } from './result-row.ts';

const WALKERS = 6;
const ROUNDS = 3;
const BETWEEN_MS = 3_000;

/** As many as in the decision about failovers, each with a change of a document and a row in turn. */
const WRITERS = 20;
const FROZEN_MS = 40_000;
const WRITES_WITHIN_MS = 10_000;

const FAULTS: Record<string, (set: ReplicaSet) => Promise<void>> = {
  'step-down': (set) => set.stepDown(),
  kill: (set) => set.end('SIGKILL'),
  shutdown: (set) => set.end('SIGTERM'),
};

const row = (name: string, ours: string, target: string, ok: boolean | null): BenchRow => ({
  group: 'failover',
  row: name,
  ours,
  target,
  ok,
});

/**
 * Makes the primary of a real replica set step down, get killed and shut down while people use the API. Every request
 * must be answered, or refused with 503 and Retry-After, and acknowledged writes must exist. Requires a real `mongod`,
 * named by MONGOD or on PATH.
 */
export async function failoverBench(interrupted: AbortSignal): Promise<BenchRow[]> {
  const mongod = process.env['MONGOD'] || onPath('mongod', process.env);
  if (!mongod) return [row('all', 'no mongod: set MONGOD', '', null)];
  return [...(await frozenPrimary(mongod, interrupted)), ...(await failovers(mongod, interrupted))];
}

async function failovers(mongod: string, interrupted: AbortSignal): Promise<BenchRow[]> {
  const set = await startReplicaSet(mongod);
  try {
    const api = await startTestApi(set.uri);
    try {
      const people = await Promise.all(
        Array.from({ length: WALKERS }, (_, i) => api.as(`walker-${i}@example.com`)),
      );
      const body = { display_name: 'Walker', is_location_sharing_enabled: true };
      for (const { call } of people) await call(saveProfile, { body });
      const counts = { reports: new Count(), reads: new Count(), writes: new Count() };
      const over = new AbortController();
      const written = people.map(() => '');
      const using = people.flatMap((person, i) => [
        reports(person, i, counts.reports, over.signal),
        reads(person, counts.reads, over.signal),
        writes(person, counts.writes, over.signal, (name) => (written[i] = name)),
      ]);
      for (let round = 0; round < ROUNDS && !interrupted.aborted; round++)
        for (const [name, fault] of Object.entries(FAULTS)) {
          await wait(BETWEEN_MS, undefined, { signal: interrupted });
          console.error(`  ${name}`);
          await fault(set);
        }
      await wait(BETWEEN_MS, undefined, { signal: interrupted });
      over.abort();
      await Promise.all(using);
      let lost = 0;
      for (const [i, { call }] of people.entries()) {
        const { dogs } = await call(listDogs);
        if (dogs[0]?.name !== written[i]) lost += 1;
      }
      return [
        ...Object.entries(counts).map(([name, count]) => count.row(name)),
        row('acknowledged and lost', `${lost} of ${people.length}`, '0', lost === 0),
      ];
    } finally {
      await api.close();
    }
  } finally {
    await set.close();
  }
}

/** Freezes the primary of a replica set with the elections of production: durable writes of all owners have to go on meanwhile. */
async function frozenPrimary(mongod: string, interrupted: AbortSignal): Promise<BenchRow[]> {
  const set = await startReplicaSet(mongod, 3, ELECTION);
  try {
    const api = await startTestApi(set.uri);
    try {
      const people = await Promise.all(
        Array.from({ length: WRITERS }, (_, i) => api.as(`writer-${i}@example.com`)),
      );
      for (const { call } of people)
        await call(saveProfile, {
          body: { display_name: 'Writer', is_location_sharing_enabled: true },
        });
      const over = new AbortController();
      const writers = people.flatMap((person) => [
        new PacedWriter('documents', () => renamer(person)),
        new PacedWriter('rows', () => () => person.call(renewFriendLink)),
      ]);
      const using = writers.map((writer) => writer.run(over.signal));
      await wait(BETWEEN_MS, undefined, { signal: interrupted });
      console.error('  freeze');
      const frozenAt = performance.now();
      const thaw = await set.freeze();
      await wait(FROZEN_MS, undefined, { signal: interrupted }).finally(thaw);
      over.abort();
      await Promise.all(using);
      return ['documents', 'rows'].map((kind) => {
        const resumed = writers
          .filter((writer) => writer.kind === kind)
          .map((writer) => writer.resumedAfter(frozenAt));
        const last = Math.max(...resumed);
        return row(
          `primary frozen: ${kind} of ${WRITERS} writers`,
          `first after ${seconds(Math.min(...resumed))}, all after ${seconds(last)}`,
          `< ${WRITES_WITHIN_MS / 1000} s`,
          last < WRITES_WITHIN_MS,
        );
      });
    } finally {
      await api.close();
    }
  } finally {
    await set.close();
  }
}

const seconds = (ms: number) => (Number.isFinite(ms) ? `${(ms / 1000).toFixed(1)} s` : 'never');

/** Changes a dog's name to another one each time. */
function renamer({ call }: TestPerson): () => Promise<unknown> {
  const sound = { sound_type: 'leash_on' as const };
  const dog = call(createDog, { body: { name: 'Rex', ...sound } });
  let turn = 0;
  return async () => {
    const { id } = (await dog).dog;
    await call(updateDog, { params: { id }, body: { name: `Rex ${turn++}`, ...sound } });
  };
}

/** Writes again and again, and notes when it was acknowledged. */
class PacedWriter {
  readonly kind: string;
  readonly #write: () => Promise<unknown>;
  readonly #acknowledged: number[] = [];

  constructor(kind: string, make: () => () => Promise<unknown>) {
    this.kind = kind;
    this.#write = make();
  }

  async run(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      try {
        await this.#write();
        this.#acknowledged.push(performance.now());
      } catch (error) {
        if (!(error instanceof CallError) || error.status !== 503) throw error;
      }
      await wait(PACE_MS);
    }
  }

  /** The milliseconds from a moment to the first acknowledgement after it. */
  resumedAfter(moment: number): number {
    const first = this.#acknowledged.find((at) => at > moment + ON_ITS_WAY_MS);
    return (first ?? Infinity) - moment;
  }
}

/** The outcomes of the requests of one kind. */
class Count {
  #answered = 0;
  #refused = 0;
  readonly #others = new Map<string, number>();

  /** @returns whether it was answered */
  async of(request: Promise<unknown>): Promise<boolean> {
    try {
      await request;
      this.#answered += 1;
      return true;
    } catch (error) {
      const isCall = error instanceof CallError;
      if (isCall && error.status === 503 && error.retryAfter !== null) this.#refused += 1;
      else {
        const what = isCall ? `${error.status} ${error.code}` : String(error);
        this.#others.set(what, (this.#others.get(what) ?? 0) + 1);
      }
      return false;
    }
  }

  row(name: string): BenchRow {
    const others = [...this.#others].map(([what, times]) => `${times} × ${what}`).join(', ');
    const ours = `${this.#answered} answered, ${this.#refused} × 503, ${others || '0 others'}`;
    return row(name, ours, '0 others', others === '' && this.#answered > 0);
  }
}

const STEP_MS = 20;
const PACE_MS = 250;
/** What was on its way when the primary froze may still be acknowledged. */
const ON_ITS_WAY_MS = 500;

async function reports({ call }: TestPerson, i: number, count: Count, over: AbortSignal) {
  for (let step = 0; !over.aborted; step++) {
    const place = { latitude: 40 + i, longitude: 20 + step / 100_000 };
    await count.of(call(reportLocation, { body: place }));
    await wait(STEP_MS);
  }
}

async function reads({ call }: TestPerson, count: Count, over: AbortSignal) {
  while (!over.aborted) {
    await count.of(call(listDogs));
    await wait(STEP_MS);
  }
}

/** Renames a dog again and again, each name until it is acknowledged. */
async function writes(
  { call }: TestPerson,
  count: Count,
  over: AbortSignal,
  onWritten: (name: string) => void,
) {
  const sound = { sound_type: 'leash_on' as const };
  const { dog } = await call(createDog, { body: { name: 'Rex', ...sound } });
  for (let turn = 0; !over.aborted; turn++) {
    const body = { name: `Rex ${turn}`, ...sound };
    const idempotencyKey = randomUUID();
    const rename = () => call(updateDog, { params: { id: dog.id }, body, idempotencyKey });
    while (!(await count.of(rename()))) await wait(STEP_MS * 10);
    onWritten(body.name);
    await wait(STEP_MS);
  }
}
