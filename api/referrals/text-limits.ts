import type { UserRow } from '#shared/server/collections.ts';
import { DAY_MS } from '#shared/time.ts';
import type { Network } from '../http/request-origin.ts';
import { addressId } from '../outbox/messages.ts';
import { HttpError } from '../http/http-error.ts';
import type { Services } from '../services.ts';

const DAY_SECONDS = 24 * 60 * 60;
/** Accounts that are younger than this may send fewer. */
const YOUNG_MS = 7 * DAY_MS;

/** Says of a limit that is reached which one it is, and what is still possible. */
export async function withLimitMessage(limit: Promise<void>, words: string): Promise<void> {
  try {
    await limit;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { status, headers } = error;
    throw new HttpError(status, `${words} Please share your link instead.`, { headers });
  }
}

/**
 * Limits text messages, each of which costs money: by account, by network, and in all. When the usual number of a day is
 * used up, each account that is at least a day old may still send one a day (decision 251).
 */
export function textLimits({ limiter, log }: Pick<Services, 'limiter' | 'log'>) {
  const daily = (name: string, points: number) =>
    limiter({ name, points, seconds: DAY_SECONDS, shared: true });
  const ofYoung = daily('referrals-texts-young', 5);
  const ofNetwork = daily('referrals-texts-network', 60);
  const usual = daily('referrals-texts', 500);
  const ofAccount = daily('referrals-texts-scarce', 1);
  const most = daily('referrals-texts-most', 2_500);

  /** @throws Refusal 429 unless this person may send one more */
  return async function allow(user: UserRow, network: Network): Promise<void> {
    const id = addressId('email', user.email);
    const age = Date.now() - user.created_at.getTime();
    if (age < YOUNG_MS)
      await withLimitMessage(ofYoung(id), 'New accounts can’t send more text messages today.');
    await withLimitMessage(
      ofNetwork(network),
      'Your network has sent too many text messages today.',
    );
    if (await usual.admits('all')) return;
    if (age < DAY_MS)
      throw new HttpError(
        429,
        'New accounts can send text messages from tomorrow. Please share your link instead.',
        { headers: { 'retry-after': String(Math.ceil((DAY_MS - age) / 1000)) } },
      );
    await withLimitMessage(ofAccount(id), 'You can’t send more text messages today.');
    if (await most.hasLeft('all')) return most('all');
    log.error('the daily limit of text messages is reached');
    await withLimitMessage(most('all'), 'We can’t send more text messages today.');
  };
}
