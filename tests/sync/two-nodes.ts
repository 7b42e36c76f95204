import type { Bus } from '#shared/bus/bus.ts';
import { createNatsBus } from '#shared/bus/nats-bus.ts';
import { startNats, type TestNats } from '../nats.ts';
import { startTestSync, type TestSync } from '../sync.ts';

/** A bus between a node and NATS that loses messages that a test chooses. */
export interface LossyBus extends Bus {
  /** Returns whether a message to this subject is lost. */
  isLost: (subject: string) => boolean;
  /** Whether the node is disconnected from NATS, and knows it. */
  cut(): void;
  restore(): void;
}

/** Wraps a bus, so that a test can lose its messages. */
export function lossy(bus: Bus): LossyBus {
  let isCut = false;
  const handlers = new Set<() => void>();
  const passes = (subject: string) => !isCut && !wrapped.isLost(subject);
  const wrapped: LossyBus = {
    isShared: true,
    isLost: () => false,
    isConnected: () => !isCut && bus.isConnected(),
    publish(subject, message) {
      if (passes(subject)) bus.publish(subject, message);
    },
    subscribe: (subject, handler) =>
      bus.subscribe(subject, (message) => {
        if (passes(subject)) handler(message);
      }),
    flush: () => bus.flush(),
    onReconnect(handler) {
      handlers.add(handler);
      const stop = bus.onReconnect(handler);
      return () => {
        handlers.delete(handler);
        stop();
      };
    },
    membersDown: () => bus.membersDown(),
    drain: () => bus.drain(),
    close: () => bus.close(),
    cut() {
      isCut = true;
    },
    restore() {
      isCut = false;
      for (const handler of handlers) handler();
    },
  };
  return wrapped;
}

export interface Cluster {
  nats: TestNats;
  nodes: readonly TestSync[];
  /** The bus of each node. */
  buses: readonly LossyBus[];
  close(): Promise<void>;
}

/** Starts sync servers on one database and one `nats-server`. */
export async function startCluster(mongodbUri: string, count = 2): Promise<Cluster> {
  const nats = await startNats();
  const nodes: TestSync[] = [];
  const buses: LossyBus[] = [];
  for (let i = 0; i < count; i++)
    nodes.push(
      await startTestSync(mongodbUri, {
        database: nodes[0]?.db.databaseName,
        openBus: async () => (buses[i] = lossy(await createNatsBus(nats.url, () => {}))),
      }),
    );
  return {
    nats,
    nodes,
    buses,
    async close() {
      for (const node of nodes.toReversed()) await node.close();
      await nats.stop();
    },
  };
}
