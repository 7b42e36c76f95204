import { defineConfig } from '@playwright/test';
import { freePort } from './scripts/stack/ports.ts';
import { CHROMIUM_FLAGS, findChromium } from './scripts/test/chromium.ts';

// Chosen once: the workers load this file again, with the same environment.
process.env['TEST_PORT'] ??= String(await freePort());

export default defineConfig({
  testDir: 'tests',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './tests/browser-setup.ts',
  fullyParallel: false,
  // Each test waits a third of its time, and more when it is one of the last.
  workers: 4,
  forbidOnly: Boolean(process.env['CI']),
  // Alone, the longest journeys take half a minute. Other suites use the cores at the same time.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    baseURL: `http://localhost:${process.env['TEST_PORT']}`,
    browserName: 'chromium',
    locale: 'en-US',
    // Caching the app costs each context a second or two. Tests that need it use offlineTest.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium(process.env),
      // Each page runs for seconds: optimizing its code costs more than it saves.
      args: [...CHROMIUM_FLAGS, '--js-flags=--liftoff-only --no-opt --no-maglev'],
    },
  },
});
