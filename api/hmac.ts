import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What proves that a server made something: nobody else can seal a text, and a seal says nothing of it.
 * @param text begins with what it is for, so that no seal is good for anything else
 */
export const sign = (secret: string | Buffer, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url');

/** The secrets by which a seal may have been made: the one in force, and while it is being replaced the one before. */
export const secretsOf = ({
  SYNC_SECRET,
  SYNC_SECRET_PREVIOUS,
}: {
  SYNC_SECRET: string;
  SYNC_SECRET_PREVIOUS?: string | undefined;
}): string[] => [SYNC_SECRET, ...(SYNC_SECRET_PREVIOUS ? [SYNC_SECRET_PREVIOUS] : [])];

/** Whether a seal that somebody sent is the right one; how long it takes to say no tells nobody how near they came. */
export function constantTimeEquals(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
