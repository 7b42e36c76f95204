import { startTestStack } from './stack.ts';

/** One whole product for all browser tests of a run, at playwright's `baseURL`. */
export default async function setup(): Promise<() => Promise<void>> {
  const stack = await startTestStack({}, Number(process.env['TEST_PORT']));
  return () => stack.stop();
}
