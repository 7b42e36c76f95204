import { setTimeout as wait } from 'node:timers/promises';
import { generateAutomergeUrl, Repo, type DocHandle } from '@automerge/automerge-repo';
import { WebSocketClientAdapter } from '@automerge/automerge-repo-network-websocket';
import { StateComparison } from '../../client/platform/sync/connection/state-comparison.ts';
import { median } from '../quantiles.ts';
import { MeteredLine } from './metered-line.ts';
import type { BenchServer } from './servers.ts';

export interface Reconnecting {
  /** The time from connecting until the device knows that the server has compared all its documents. */
  ms: number;
  /** The transferred bytes, both ways. */
  bytes: number;
}

type Messages = { messages?: Record<string, string> };

const ROUNDS = 5;
const QUIET_MS = 1000;
const POLL_MS = 2;
const AT_ONCE = 100;

/** Whether the server has reported that it has the device's state. */
function isKept(handle: DocHandle<Messages>, repo: Repo): boolean {
  const [server] = repo.peers;
  const storage = server && repo.getStorageIdOfPeer(server);
  const told = storage && handle.getSyncInfo(storage)?.lastHeads;
  return !!told && told.join() === handle.heads().join();
}

/**
 * automerge-repo's server doesn't answer if nothing changed, and is busy with that long after the last byte. It handles
 * messages in order, so its refusal of an unknown document shows that it has handled all earlier ones.
 */
async function heardAll(repo: Repo): Promise<void> {
  const url = generateAutomergeUrl();
  await repo.find(url).catch(() => {});
  repo.delete(url);
}

/**
 * Makes a device with many documents lose its connection and come back without changes: automerge-repo's Repo with its
 * own server, and the product's with ours. Medians of several rounds.
 */
export async function reconnecting(
  server: BenchServer,
  count: number,
  over: AbortSignal,
): Promise<Reconnecting> {
  const documents = await server.documents(server.creates ? 1 : count, true);
  const line = new MeteredLine(server.url, documents[0]!.cookie);
  const adapter = new WebSocketClientAdapter(await line.open());
  const comparison = server.creates ? null : new StateComparison(adapter, {});
  const repo = comparison?.repo ?? new Repo({ network: [adapter] });
  let sent = 0;
  const send = adapter.send.bind(adapter);
  adapter.send = (message) => {
    sent++;
    send(message);
  };
  const quiet = async () => {
    while (performance.now() - line.lastAt < QUIET_MS) await wait(100, undefined, { signal: over });
  };
  try {
    await new Promise<void>((met) => repo.networkSubsystem.once('peer', () => met()));
    const handles: DocHandle<Messages>[] = [];
    for (let i = 0; i < count; i += AT_ONCE) {
      const some = documents.slice(i, i + AT_ONCE);
      handles.push(
        ...(await Promise.all(
          Array.from({ length: AT_ONCE }, async (_, j) =>
            server.creates
              ? repo.create<Messages>()
              : await repo.find<Messages>(`automerge:${some[j]!.id}` as never),
          ),
        )),
      );
      await wait(50, undefined, { signal: over });
    }
    for (const handle of handles)
      handle.change((doc) => void (doc.messages = { first: 'm'.repeat(80) }));
    // The server has all of it before anything is measured.
    for (const handle of handles)
      while (!isKept(handle, repo)) await wait(POLL_MS, undefined, { signal: over });
    await quiet();
    const times: number[] = [];
    const sizes: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      adapter.disconnect();
      await wait(QUIET_MS, undefined, { signal: over });
      line.bytes = 0;
      sent = 0;
      const started = performance.now();
      adapter.connect(repo.networkSubsystem.peerId, { isEphemeral: true });
      while ((comparison ? comparison.sameCount : sent) < count)
        await wait(POLL_MS, undefined, { signal: over });
      if (!comparison) await heardAll(repo);
      times.push(performance.now() - started);
      await quiet();
      sizes.push(line.bytes);
    }
    return { ms: median(times), bytes: median(sizes) };
  } finally {
    adapter.disconnect();
    line.close();
  }
}
