import { defineConfig } from 'vitest/config';

/** What a test file needs is in its name: nothing (unit), or a MongoDB of the run (api, sync). */
export default defineConfig({
  test: {
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/**/*.unit.test.{ts,tsx}'] } },
      {
        extends: true,
        test: {
          name: 'api',
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
          include: ['tests/**/*.sync.test.ts'],
          globalSetup: ['tests/mongo-setup.ts'],
        },
      },
    ],
  },
});
