import { once } from 'node:events';
import { connect } from 'node:net';

/** Resolves when a NATS server greets this client. @throws when none does */
export async function askNats(
  port: number,
  stop: AbortSignal,
  host: string = '127.0.0.1',
): Promise<void> {
  const socket = connect(port, host);
  try {
    const [greeting] = (await once(socket, 'data', { signal: stop })) as [Buffer];
    if (!greeting.toString().startsWith('INFO')) throw new Error(`No NATS on port ${port}`);
  } finally {
    socket.destroy();
  }
}
