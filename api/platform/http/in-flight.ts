import type { Context } from 'koa';
import { HttpError } from '#shared/http/http-error.ts';
import type { Caller } from '../session-cache.ts';
import { addressOf, networkOf } from './request-origin.ts';

const RETRY_SECONDS = 3;

/** The maximum share of an account, and of an address and its wider networks. Decision 250. */
const ACCOUNT_SHARE = 1 / 6;
const NETWORK_SHARES = [1 / 4, 3 / 8, 1 / 2];
/** The maximum share of all visitors together. */
const VISITORS_SHARE = 1 / 2;

const busy = (status: 429 | 503) =>
  new HttpError(status, 'The server is busy. Try again in a moment.', {
    headers: { 'retry-after': String(RETRY_SECONDS) },
  });

/** Limits the bytes of concurrent requests, in total and per client. */
export class InFlight {
  readonly #total: number;
  readonly #scale: number;
  readonly #used = new Map<string, number>();
  #inUse = 0;

  /** @param scale multiplies the shares, up to the total: RATE_LIMIT_SCALE */
  constructor(total: number, scale: number) {
    this.#total = total;
    this.#scale = scale;
  }

  get inUse(): number {
    return this.#inUse;
  }

  /**
   * Reserves bytes for a request.
   * @param visitor the signed-in user, to count by account, too; null for a visitor; undefined counts networks only
   * @returns releases them; may be called twice
   * @throws HttpError 429 when this client has used its share, 503 when nothing is left, both with Retry-After
   */
  take(ctx: Context, bytes: number, visitor?: Caller | null): () => void {
    const shares = sharesOf(ctx, visitor);
    const hasShare = shares.every(
      ([key, share]) =>
        (this.#used.get(key) ?? 0) + bytes <= Math.min(1, share * this.#scale) * this.#total,
    );
    if (!hasShare) throw busy(429);
    if (this.#inUse + bytes > this.#total) throw busy(503);
    this.#add(shares, bytes);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(shares, -bytes);
      isTaken = false;
    };
  }

  #add(shares: [string, number][], bytes: number): void {
    this.#inUse += bytes;
    for (const [key] of shares) {
      const used = (this.#used.get(key) ?? 0) + bytes;
      if (used > 0) this.#used.set(key, used);
      else this.#used.delete(key);
    }
  }
}

function sharesOf(ctx: Context, visitor: Caller | null | undefined): [string, number][] {
  const networks = networkOf(addressOf(ctx)).map((network, level): [string, number] => [
    `network ${network}`,
    NETWORK_SHARES[level] ?? 1,
  ]);
  if (visitor === undefined) return networks;
  const account = visitor && `account ${visitor.user._id}`;
  return [...networks, account ? [account, ACCOUNT_SHARE] : ['visitors', VISITORS_SHARE]];
}
