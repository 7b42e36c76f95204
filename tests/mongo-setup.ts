import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'vitest';
import type { TestProject } from 'vitest/node';
import { MongoClient } from 'mongodb';
import { startMongodb } from '../scripts/mongodb.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** One MongoDB for the whole run: each test file uses a database name of its own. */
    mongodbUri: string;
  }
}

/** Starts MongoDB on a directory of its own for the run, and takes both away afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'leashwise-tests-'));
  const mongodb = await startMongodb({ dataDir, env: process.env, log: console.log });
  if (mongodb.child) await closeFilesSoon(mongodb.uri);
  project.provide('mongodbUri', mongodb.uri);
  return async () => {
    await mongodb.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/**
 * Each test file drops a database of hundreds of files, which the engine would hold open for ten minutes: more than a
 * process may have.
 */
async function closeFilesSoon(uri: string): Promise<void> {
  const client = await MongoClient.connect(uri);
  await client.db('admin').command({
    setParameter: 1,
    wiredTigerEngineRuntimeConfig:
      'file_manager=(close_idle_time=5,close_scan_interval=2,close_handle_minimum=100)',
  });
  await client.close();
}
