/** How long a node reports that it is about to close before it does: balancers check every second. */
export const DRAIN_MS = 2_000;

/** Receives a message's content, parsed from JSON. The sender is another node of this installation. */
export type BusHandler = (message: unknown) => void;

/**
 * Carries messages between the nodes of an installation by subject. It is fast and not reliable: a message can be late, doubled,
 * out of order or lost, and everything that it says is in MongoDB before. A node does not receive its own messages.
 */
export interface Bus {
  /** Whether there may be other nodes. If not, messages reach no one. */
  readonly isShared: boolean;
  /** Whether messages arrive and leave now, as far as this node knows. */
  isConnected(): boolean;
  /** Sends a message to all other nodes that subscribed to its subject. Never throws. */
  publish(subject: string, message: object): void;
  /** Returns a function that unsubscribes. */
  subscribe(subject: string, handler: BusHandler): () => void;
  /** Resolves when the subscriptions so far are in effect, or after a quarter of a second without an answer. Never rejects. */
  flush(): Promise<void>;
  /** Calls a function after each reconnection: messages were lost. Returns a function that stops it. */
  onReconnect(handler: () => void): () => void;
  /** Returns how many of its servers give no answer within two seconds. */
  membersDown(): Promise<number>;
  /** Resolves when balancers have noticed that this node reports to be about to close; at once if there is no other node. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Creates the bus of an installation with one node per role: it has no one to talk to. */
export const createSingleNodeBus = (): Bus => ({
  isShared: false,
  isConnected: () => true,
  publish() {},
  subscribe: () => () => {},
  flush: async () => {},
  onReconnect: () => () => {},
  membersDown: async () => 0,
  drain: async () => {},
  close: async () => {},
});
