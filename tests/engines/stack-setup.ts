import type { TestProject } from 'vitest/node';
import { installPackages } from '../../scripts/test/debian-packages.ts';
import { startTestStack } from '../stack.ts';
import { engines } from './engines.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The origin of the product, on localhost. */
    stackOrigin: string;
  }
}

/** Installs the engines where they are missing, and starts the whole product once for all journeys. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = engines.flatMap((engine) => engine.missing());
  if (missing.length > 0) await installPackages(...new Set(missing));
  const stack = await startTestStack();
  project.provide('stackOrigin', stack.origin);
  return () => stack.stop();
}
