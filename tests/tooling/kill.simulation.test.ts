import { expect, test } from 'vitest';
import { killBench } from '../../bench/kill.ts';

test('killing each process with -9 under load loses nothing that was acknowledged', async () => {
  const rows = await killBench(new AbortController().signal, { rounds: 1, loadMs: 300 });
  expect(rows.filter(({ ok }) => !ok)).toEqual([]);
  expect(rows.length).toBeGreaterThan(5);
}, 600_000);
