import { constantTimeEquals, secretsOf, sign } from '../../platform/hmac.ts';
import { addressId } from '../../platform/mail-queue/messages.ts';
import type { Services } from '../../platform/services.ts';
import { type CharityRow, charities } from './collections.ts';

/** The end of a link: id and signature. */
const TOKEN = /^([\w-]{1,64})\.([\w-]{1,100})$/;

/** With the address: who no longer is the contact can't change the page. */
const signatureOf = (
  secret: string,
  { _id, contact_email }: Pick<CharityRow, '_id' | 'contact_email'>,
) => sign(secret, `charity application ${_id} ${addressId('email', contact_email ?? '')}`);

/** The emailed link with which an applicant changes the page. The token is after the `#`, which browsers send to nobody. */
export const applicationLink = (
  env: Pick<Services['env'], 'PUBLIC_ORIGIN' | 'SYNC_SECRET'>,
  charity: Pick<CharityRow, '_id' | 'contact_email'>,
): string =>
  `${env.PUBLIC_ORIGIN}/charity-signup#${charity._id}.${signatureOf(env.SYNC_SECRET, charity)}`;

/** Returns the charity that a token opens; null for an invalid one. */
export async function charityOf(
  { db, env }: Pick<Services, 'db' | 'env'>,
  token: string,
): Promise<CharityRow | null> {
  const [, id = '', given = ''] = TOKEN.exec(token) ?? [];
  const row = id ? await charities(db).findOne({ _id: id }) : null;
  if (!row?.contact_email) return null;
  const isOurs = secretsOf(env).some((secret) =>
    constantTimeEquals(given, signatureOf(secret, row)),
  );
  return isOurs ? row : null;
}
