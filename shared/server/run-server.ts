/** A server that takes longer to close is terminated: everything that it acknowledged is durable. */
export const CLOSE_MAX_MS = 10_000;
const PROGRESS_MS = 10_000;
/** While this process is starting: when the parent process was notified last. */
let notifiedAt: number | null = null;

/** Notifies the parent process now and then that the start takes longer, but makes progress. */
export function stillStarting(): void {
  const now = performance.now();
  if (notifiedAt === null || now - notifiedAt < PROGRESS_MS) return;
  notifiedAt = now;
  process.send?.({ ready: false });
}

/**
 * Runs a server in this process: sends `{ ready: true }` to the parent process when it is ready (`{ ready: false }` during a long
 * start), and exits on SIGTERM, SIGINT, or when the parent exits, even during the start. On SIGTERM, it drains before.
 * @param ready returns further fields of that message
 */
export async function runServer<Server extends { close(): Promise<void>; drain?(): Promise<void> }>(
  start: () => Promise<Server>,
  ready: (server: Server) => Record<string, number>,
): Promise<void> {
  // A log on a full disk must not end the process.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  let server: Server | undefined;
  let isStopping = false;
  const stop = async (reason?: string) => {
    if (isStopping) return;
    isStopping = true;
    if (reason === 'SIGTERM') await server?.drain?.();
    setTimeout(() => process.exit(1), CLOSE_MAX_MS).unref();
    await server?.close();
    process.exit(0);
  };
  for (const reason of ['SIGTERM', 'SIGINT', 'disconnect'])
    process.once(reason, () => void stop(reason));
  // The parent may have exited before this process listened.
  if (process.send && !process.connected) await stop();
  notifiedAt = performance.now();
  server = await start();
  notifiedAt = null;
  process.send?.({ ready: true, ...ready(server) });
}
