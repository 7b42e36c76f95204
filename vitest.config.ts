import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute or more. They start first, because at the end they would keep one core busy alone. */
const LONG = ['blocks/earlier-views.api', 'push/push.api', 'tooling/start.api'];

class LongOnesFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONG.findIndex((name) => moduleId.includes(name));
      return found === -1 ? LONG.length : found;
    };
    return Promise.resolve(files.toSorted((a, b) => place(a) - place(b)));
  }
}

/** The file name says what a test needs: nothing (unit), browsers (engines), or the run's MongoDB (the others). */
export default defineConfig({
  define: {
    __PRODUCT_NAME__: JSON.stringify('Leashwise'),
    __SIGN_IN_NAME__: JSON.stringify('Google'),
  },
  test: {
    maxWorkers: 2,
    // Vitest's default of one second is too short on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['tests/wait-timeout-setup.ts'],
    sequence: { sequencer: LongOnesFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/**/*.unit.test.{ts,tsx}'],
          // Importing the modules again for each file would take 40% of the time. Stubs are removed after each test.
          isolate: false,
          unstubGlobals: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['tests/**/*.api.test.ts'],
          // Files share only constants. Importing the API again for each file would take a third of the time.
          isolate: false,
          // A third of the time, these tests wait. One more worker makes the suite a sixth faster, and further ones don't.
          maxWorkers: 3,
          globalSetup: ['tests/mongo-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'sync',
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
      {
        extends: true,
        test: {
          name: 'engines',
          retry: 1,
          // Each test has the one address of the product.
          maxWorkers: 1,
          include: ['tests/engines/*.engine.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          globalSetup: ['tests/engines/stack-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'containers',
          // They share ports.
          maxWorkers: 1,
          include: ['tests/containers/*.containers.test.ts'],
          // Each test goes on where the one before ended.
          bail: 1,
        },
      },
    ],
  },
});
