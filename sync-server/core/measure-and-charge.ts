/** Runs work and charges the milliseconds that it took, also if it throws. */
export function measureAndCharge<T>(charge: (ms: number) => void, work: () => T): T {
  const started = performance.now();
  try {
    return work();
  } finally {
    charge(performance.now() - started);
  }
}
