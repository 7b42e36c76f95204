import { ELECTION } from '../../scripts/docker/election.ts';
import { startMongodb } from '../../scripts/stack/mongodb.ts';
import { startReplicaSet } from '../../scripts/test/replica-set.ts';
import { endWithBench, scratchDirectory } from '../location/cleanup.ts';

/** A MongoDB of the histories’ own, to which something may happen: one thing at a time. */
export interface OwnMongodb {
  uri: string;
  /** Whether others continue when one of its servers is frozen. */
  isReplicated: boolean;
  /** Freezes it, or the primary. @returns how to end that */
  freeze(): Promise<() => void>;
  /** Kills it, or the primary, and starts it again on its data. */
  kill(): Promise<void>;
  /** Does something while it is not killed. */
  undisturbed<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Runs work one after the other. */
function inTurn() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => null);
    return mine;
  };
}

/** Starts one server, as `npm start` does. */
export async function startOwnMongodb(): Promise<OwnMongodb> {
  const dataDir = scratchDirectory('bench-truth');
  const start = async () => {
    const started = await startMongodb({ dataDir, env: process.env, log: () => {} });
    if (started.child) endWithBench(started.child);
    return started;
  };
  const turn = inTurn();
  let mongodb = await start();
  return {
    uri: mongodb.uri,
    isReplicated: false,
    freeze: () =>
      turn(async () => {
        const { child } = mongodb;
        child?.kill('SIGSTOP');
        return () => void child?.kill('SIGCONT');
      }),
    kill: () =>
      turn(async () => {
        if (!mongodb.child?.kill('SIGKILL')) return;
        await mongodb.close();
        mongodb = await start();
      }),
    undisturbed: turn,
    close: () => mongodb.close(),
  };
}

/** Starts a replica set with the settings of production. @param mongod the path of the program */
export async function startOwnReplicaSet(mongod: string): Promise<OwnMongodb> {
  const set = await startReplicaSet(mongod, 3, ELECTION);
  const turn = inTurn();
  return {
    uri: set.uri,
    isReplicated: true,
    freeze: () =>
      turn(async () => {
        const thaw = await set.freeze();
        return () => {
          thaw();
        };
      }),
    kill: () => turn(() => set.end('SIGKILL')),
    undisturbed: turn,
    close: () => set.close(),
  };
}
