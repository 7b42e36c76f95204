import type { RefusalReason } from '#shared/sync/refusals.ts';

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
