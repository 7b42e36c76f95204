import type { Stack } from '../scripts/stack/stack.ts';
import { test } from './browser.ts';
import { startTestStack } from './stack.ts';

/** Returns a `test` for a product with its own settings, which no other file uses. @param env as for `startTestStack` */
export const testWith = (env: NodeJS.ProcessEnv) =>
  test.extend<object, { product: Stack; origin: string }>({
    product: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern that this needs no other fixture.
      async ({}, provide) => {
        const stack = await startTestStack(env);
        await provide(stack);
        await stack.stop();
      },
      { scope: 'worker', timeout: 90_000 },
    ],
    origin: [async ({ product }, provide) => provide(product.origin), { scope: 'worker' }],
  });
