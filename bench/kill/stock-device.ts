import { Repo } from '@automerge/automerge-repo';
import type { FromClientMessage } from '@automerge/automerge-repo-network-websocket';
import { WebSocket } from 'ws';
import type { Visitor } from '../../scripts/cli/api-session.ts';
import { Adapter, Line } from '../../tests/sync.ts';

/** The stock adapter opens another socket if the last one is not open after this time. */
const RECONNECT_MS = 1000;

/** The stock adapter throws when it sends on a socket that is not open, during a change. */
class PatientAdapter extends Adapter {
  override send(message: FromClientMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) super.send(message);
  }
}

/** A device of a user with a stock Repo. */
export interface StockDevice {
  repo: Repo;
  close(): void;
}

/** Opens a device, and waits until it has connected. @param origin of the product */
export async function openDevice(
  origin: string,
  { jar }: Pick<Visitor, 'jar'>,
): Promise<StockDevice> {
  const port = Number(new URL(origin).port);
  const line = new Line(() => port, { cookie: jar.header, origin });
  const adapter = new PatientAdapter(await line.open(), RECONNECT_MS);
  const repo = new Repo({ network: [adapter] });
  // A Repo that is asked before it has met its server says that the document is unavailable.
  await new Promise<void>((resolve) => repo.networkSubsystem.once('peer', () => resolve()));
  return {
    repo,
    close() {
      adapter.disconnect();
      line.close();
    },
  };
}
