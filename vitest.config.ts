import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes half a minute and more, on its own or nearly so: begun last, it would keep one core at the end. */
const LONG = ['tooling/kill.api', 'tooling/start.api'];

class LongOnesFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONG.findIndex((name) => moduleId.includes(name));
      return found === -1 ? LONG.length : found;
    };
    return Promise.resolve(files.toSorted((a, b) => place(a) - place(b)));
  }
}

/** Two browsers and three servers share what cores there are: one more try tells a slow moment from a fault, and is told. */
const ONE_MORE_TRY = 1;

/** What a test file needs is in its name: nothing (unit), or a MongoDB of the run (the others). */
export default defineConfig({
  define: { __PRODUCT_NAME__: JSON.stringify('Leashwise') },
  test: {
    maxWorkers: 2,
    // Vitest's own second is luck on a machine with much to do.
    expect: { poll: { timeout: 15_000 } },
    setupFiles: ['tests/wait-timeout-setup.ts'],
    sequence: { sequencer: LongOnesFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/**/*.unit.test.{ts,tsx}'],
          // To import what is tested again for each file takes two fifths of the time; what a test stubs goes with it.
          isolate: false,
          unstubGlobals: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          retry: ONE_MORE_TRY,
          include: ['tests/**/*.api.test.ts'],
          // The files share nothing but constants: to import all of the api again for each takes a third of the time.
          isolate: false,
          globalSetup: ['tests/mongo-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'sync',
          retry: ONE_MORE_TRY,
          include: ['tests/**/*.sync.test.ts'],
          maxWorkers: 1,
          globalSetup: ['tests/mongo-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'simulation',
          include: ['tests/**/*.simulation.test.ts'],
          maxWorkers: 1,
          globalSetup: ['tests/mongo-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'cluster',
          include: ['tests/**/*.cluster.test.ts'],
          maxWorkers: 1,
          globalSetup: ['tests/cluster/find-mongod-setup.ts'],
        },
      },
    ],
  },
});
