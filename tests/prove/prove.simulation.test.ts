import { afterAll, beforeAll, expect, test } from 'vitest';
import { fuzzEndpoints } from '../../bench/prove/endpoint-fuzz.ts';
import { fuzzSync } from '../../bench/prove/sync-fuzz.ts';
import { freePort } from '../../scripts/stack/ports.ts';
import { startTestStack } from '../stack.ts';

/** A part of `npm run prove`, which takes longer and has more checks. */
const BUDGET_MS = 15_000;

let stack: Awaited<ReturnType<typeof startTestStack>>;
let inspectorPort: number;
beforeAll(async () => {
  inspectorPort = await freePort();
  stack = await startTestStack({ NODE_OPTIONS: `--inspect-port=${inspectorPort}` });
}, 180_000);
afterAll(() => stack.stop());

test.each([
  ['arbitrary calls in every role get an answer of the OpenAPI document', fuzzEndpoints],
  ['damaged frames on the sync wire leave other devices’ edits alone', fuzzSync],
])(
  '%s',
  async (_, run) => {
    const seed = Date.now() % 1_000_000;
    const { origin, dataDir } = stack;
    const settings = { origin, dataDir, inspectorPort, budgetMs: BUDGET_MS, seed };
    const { failures } = await run({ ...settings, interrupted: new AbortController().signal });
    expect(failures, `seed ${seed}:\n${failures.join('\n')}`).toEqual([]);
  },
  120_000,
);
