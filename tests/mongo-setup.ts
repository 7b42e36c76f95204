import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'vitest';
import type { TestProject } from 'vitest/node';
import { startMongodb } from '../scripts/stack/mongodb.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** One MongoDB for the whole run. Each test file uses its own database. */
    mongodbUri: string;
  }
}

/** Starts MongoDB with its own directory for the run, and removes both afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'leashwise-tests-'));
  const mongodb = await startMongodb({ dataDir, env: process.env, log: console.log });
  project.provide('mongodbUri', mongodb.uri);
  return async () => {
    await mongodb.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}
