import 'vitest';
import type { TestProject } from 'vitest/node';
import { findMongod } from '../../scripts/test/real-mongod.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of MongoDB's own server. */
    mongod: string;
  }
}

/** Finds MongoDB's own server for the tests of clusters. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('mongod', await findMongod(process.env, console.log));
}
