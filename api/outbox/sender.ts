import type { Message } from './messages.ts';

/** What hands messages of one channel to a provider. */
export interface Sender<M extends Message = Message> {
  /**
   * @param key the same at each try of one message, for providers that tell repeats
   * @returns what the provider calls it; null when it did not say
   * @throws NotSent when the provider told why; anything else counts as trouble that passes
   */
  send(message: M, key: string): Promise<string | null>;
}

interface NotSentDetail {
  /** Trying again is no use. */
  isFinal?: boolean;
  /** The recipient has told the provider to stop. */
  isOptOut?: boolean;
  retryAfterMs?: number | null;
  cause?: unknown;
}

/** Why a provider did not take a message. `code` names neither recipient nor content: it is logged and kept. */
export class NotSent extends Error {
  readonly code: string;
  readonly isFinal: boolean;
  readonly isOptOut: boolean;
  readonly retryAfterMs: number | null;

  constructor(code: string, detail: NotSentDetail = {}) {
    super(code, { cause: detail.cause });
    this.name = 'NotSent';
    this.code = code;
    this.isOptOut = detail.isOptOut ?? false;
    this.isFinal = this.isOptOut || (detail.isFinal ?? false);
    this.retryAfterMs = detail.retryAfterMs ?? null;
  }
}
