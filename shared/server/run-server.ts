/** A server that something keeps from closing is ended after this: what it acknowledged is on the disk. */
const LONGEST_CLOSE_MS = 10_000;

/**
 * Runs a server as this process: tells whoever forked it when it is ready, and ends when it is told to, or when that
 * one is gone, also while it still starts.
 * @param ready what to tell beside that it is ready
 */
export async function runServer<Server extends { close(): Promise<void> }>(
  start: () => Promise<Server>,
  ready: (server: Server) => Record<string, number>,
): Promise<void> {
  let server: Server | undefined;
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), LONGEST_CLOSE_MS).unref();
    await server?.close();
    process.exit(0);
  };
  for (const reason of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(reason, () => void stop());
  // It may have gone before anybody listened.
  if (process.send && !process.connected) await stop();
  server = await start();
  process.send?.({ ready: true, ...ready(server) });
}
