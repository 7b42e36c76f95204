/**
 * Why the sync server refuses a message about a document (docs/protocol.md). The socket stays open, and other documents are not
 * affected. A closed list: devices say each reason in words.
 */
export const refusalReasons = [
  /** The changes nest objects too deeply. */
  'too_deep',
  /** The message contains too much; its changes may fit in several messages. */
  'too_large',
  /** The document has no room for the changes. */
  'full',
  /** The user may not change the document, or not now. */
  'not_yours',
  /** The changes have timestamps, and other people read the document (decision 235). */
  'timestamped',
  /** Too many changes whose dependencies are missing. */
  'incomplete',
  /** Not changes that Automerge can apply and load again. */
  'invalid',
  /** The device has too many documents open. */
  'too_many',
  /** The server cannot read the document now. */
  'unavailable',
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

/** Returns the reason of a message of the server; `invalid` for one that only newer servers know. */
export const readRefusalReason = (value: unknown): RefusalReason =>
  refusalReasons.find((reason) => reason === value) ?? 'invalid';

/**
 * A message about a document is not accepted. Thrown anywhere between reading the message and storing its changes; the device
 * receives the document and the reason, and everything else goes on.
 */
export class Refusal extends Error {
  readonly reason: RefusalReason;

  /** @param message for the log */
  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
