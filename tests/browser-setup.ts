import { startTestStack } from './stack.ts';

/** One whole product for all browser tests of a run, at playwright's `baseURL`. */
export default async function setup(): Promise<() => Promise<void>> {
  const stack = await startTestStack({}, Number(process.env['TEST_PORT']));
  // For tests that put a gateway of their own before the servers.
  process.env['TEST_API_PORT'] = String(stack.ports.api);
  process.env['TEST_SYNC_PORT'] = String(stack.ports.sync);
  return () => stack.stop();
}
