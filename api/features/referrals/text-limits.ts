import { HttpError } from '#shared/http/http-error.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { DAY_MS, DAY_SECONDS } from '#shared/time.ts';
import type { Network } from '../../platform/http/request-origin.ts';
import { addressId } from '../../platform/mail-queue/messages.ts';
import type { Services } from '../../platform/services.ts';

/** Younger accounts may send fewer text messages. */
const YOUNG_MS = 7 * DAY_MS;

/** Replaces the message of a reached limit. @throws HttpError 429 */
export async function withLimitMessage(limit: Promise<void>, message: string): Promise<void> {
  try {
    await limit;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { status, headers } = error;
    throw new HttpError(status, `${message} Share your link instead.`, { headers });
  }
}

/**
 * Limits text messages, which cost money: per account, per network, and in total. Once the usual total of a day is
 * reached, each account that is at least a day old may still send one a day (decision 251).
 */
export function textLimits({ limiter, log }: Pick<Services, 'limiter' | 'log'>) {
  const daily = (name: string, points: number) =>
    limiter({ name, points, seconds: DAY_SECONDS, shared: true });
  const ofYoung = daily('referrals-texts-young', 5);
  const ofNetwork = daily('referrals-texts-network', 60);
  const usual = daily('referrals-texts', 500);
  const ofAccount = daily('referrals-texts-scarce', 1);
  const most = daily('referrals-texts-most', 2_500);

  /** @throws HttpError 429 unless the user may send one more */
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
        'New accounts can send text messages from tomorrow. Share your link instead.',
        { headers: { 'retry-after': String(Math.ceil((DAY_MS - age) / 1000)) } },
      );
    await withLimitMessage(ofAccount(id), 'You can’t send more text messages today.');
    if (await most.hasLeft('all')) return most('all');
    log.error('the daily limit of text messages is reached');
    await withLimitMessage(most('all'), 'We can’t send more text messages today.');
  };
}
