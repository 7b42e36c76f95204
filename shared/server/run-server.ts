/** A server that takes longer to close is terminated: everything that it acknowledged is durable. */
const CLOSE_MAX_MS = 10_000;

/**
 * Runs a server in this process: sends `{ ready: true }` to the parent process when it is ready, and exits on SIGTERM, SIGINT, or when
 * the parent exits, even during the start.
 * @param ready returns further fields of that message
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
    setTimeout(() => process.exit(1), CLOSE_MAX_MS).unref();
    await server?.close();
    process.exit(0);
  };
  for (const reason of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(reason, () => void stop());
  // The parent may have exited before this process listened.
  if (process.send && !process.connected) await stop();
  server = await start();
  process.send?.({ ready: true, ...ready(server) });
}
