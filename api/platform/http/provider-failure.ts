/** A provider rejected a request, timed out, or sent an invalid response. */
export class ProviderFailure extends Error {
  /** Its HTTP status; null without a readable response. */
  readonly status: number | null;
  /** The provider’s Retry-After; null if it sent none. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    detail: { status?: number; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: detail.cause });
    this.name = 'ProviderFailure';
    this.status = detail.status ?? null;
    this.retryAfterMs = detail.retryAfterMs ?? null;
  }
}
