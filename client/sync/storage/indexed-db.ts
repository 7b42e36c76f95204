/** How long a database may take to open. The chat simulation, whose clocks run faster, sets a longer time. */
export const OPENING = { withinMs: 4_000 };

/** Names of the errors that mean that the connection is lost, whatever it was asked for. */
const LOST = new Set(['InvalidStateError', 'UnknownError']);

export const isConnectionLost = (error: unknown): boolean =>
  LOST.has((error as Error | null)?.name ?? '');

/**
 * Waits for a database to open. @param close closes one that opens too late
 * @throws when the browser does not answer: some never do
 */
export async function opensInTime<T>(opening: Promise<T>, close: (late: T) => void): Promise<T> {
  let isLate = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(new Error('IndexedDB does not answer'));
    }, OPENING.withinMs);
  });
  void opening.then(
    (late) => isLate && close(late),
    () => {},
  );
  return Promise.race([opening, tooLate]).finally(() => clearTimeout(timer));
}
