import { rm } from 'node:fs/promises';
import 'vitest';
import type { TestProject } from 'vitest/node';
import { startMongodb } from '../scripts/stack/mongodb.ts';
import { createDatabaseDir } from '../scripts/test/database-dir.ts';
import { findMongod } from '../scripts/test/real-mongod.ts';
import { startReplicaSet } from '../scripts/test/replica-set.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** One MongoDB for the whole run. Each test file uses its own database. */
    mongodbUri: string;
  }
}

/**
 * Starts MongoDB with its own directory for the run, and removes both afterwards.
 * With TEST_REPLICA_SET, it is a replica set of this many members of MongoDB's own server; otherwise the engine of `npm
 * start`.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const members = Number(process.env['TEST_REPLICA_SET'] ?? 0);
  if (members > 0) {
    const set = await startReplicaSet(await findMongod(process.env, console.log), members);
    project.provide('mongodbUri', set.uri);
    return () => set.close();
  }
  const dataDir = await createDatabaseDir('tests');
  const mongodb = await startMongodb({ dataDir, env: process.env, log: console.log });
  project.provide('mongodbUri', mongodb.uri);
  return async () => {
    await mongodb.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}
