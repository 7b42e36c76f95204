import { startTestStack } from './stack.ts';

/** Starts the whole product once for all browser tests of a run, at Playwright's `baseURL`. */
export default async function setup(): Promise<() => Promise<void>> {
  const stack = await startTestStack({}, Number(process.env['TEST_PORT']));
  // For tests that start their own gateway in front of the servers.
  process.env['TEST_API_PORT'] = String(stack.ports.api);
  process.env['TEST_SYNC_PORT'] = String(stack.ports.sync);
  return () => stack.stop();
}
