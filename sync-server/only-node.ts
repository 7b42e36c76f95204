import type { Nodes, NodesHost } from './nodes.ts';

/** What a node without others does where several send each other orders and verify that they received them. */
export function createOnlyNode({
  database: { syncNodes },
  signals,
  log: { writer },
  connections,
}: Pick<NodesHost, 'database' | 'signals' | 'log' | 'connections'>): Nodes {
  const stopListening = signals.listen((signal) => {
    if (signal === 'lost') void connections.recheck();
    else if (signal.topic === 'session' || signal.topic === 'user')
      void connections.recheck(signal.user_id);
  });
  return {
    orders: { send: async () => {} },
    isVerified: () => true,
    verified: async () => {},
    async start() {
      const crashed = await syncNodes.find({}, { projection: { _id: 1 } }).toArray();
      await syncNodes.insertOne({ _id: writer, seen_at: new Date(), done: [] });
      return crashed.map(({ _id }) => _id);
    },
    async stop(isFinished) {
      stopListening();
      if (isFinished) await syncNodes.deleteOne({ _id: writer }).catch(() => {});
    },
  };
}
