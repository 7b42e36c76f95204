import type { Message } from './messages.ts';

/** Hands messages of one channel to a provider. */
export interface Sender<M extends Message = Message> {
  /**
   * @param key the same for each try of one message, for providers that detect repeats
   * @returns the provider's id of the message; null when it returned none
   * @throws NotSent when the provider gave a reason; any other error counts as temporary
   */
  send(message: M, key: string): Promise<string | null>;
}

interface NotSentDetail {
  /** Trying again is useless. */
  isFinal?: boolean;
  /** The recipient has told the provider to stop. */
  isOptOut?: boolean;
  /** The message has lost its purpose. */
  isUnwanted?: boolean;
  /** Nothing failed: the message must wait. */
  isPostponed?: boolean;
  retryAfterMs?: number | null;
  cause?: unknown;
}

/** Why a provider rejected a message. `code` contains neither recipient nor content, because it is logged and stored. */
export class NotSent extends Error {
  readonly code: string;
  readonly isFinal: boolean;
  readonly isOptOut: boolean;
  readonly isUnwanted: boolean;
  readonly isPostponed: boolean;
  readonly retryAfterMs: number | null;

  constructor(code: string, detail: NotSentDetail = {}) {
    super(code, { cause: detail.cause });
    this.name = 'NotSent';
    this.code = code;
    this.isOptOut = detail.isOptOut ?? false;
    this.isUnwanted = detail.isUnwanted ?? false;
    this.isPostponed = detail.isPostponed ?? false;
    this.isFinal = this.isOptOut || (detail.isFinal ?? false);
    this.retryAfterMs = detail.retryAfterMs ?? null;
  }
}
