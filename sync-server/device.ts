/** The device at the other end of a peer, on whatever socket. */
export interface Device {
  readonly userId: string;
  /** Sends a message of Automerge's sync protocol. */
  sync(documentId: string, message: Uint8Array): void;
  /** Passes on somebody's ephemeral message. */
  relay(documentId: string, from: EphemeralSource, data: Uint8Array): void;
  close(code: number, reason: string): void;
  /** Pays for milliseconds of work that what it wrote has made. */
  spend(ms: number): void;
}

export interface EphemeralSource {
  peerId: string;
  count: number;
  sessionId: string;
}
