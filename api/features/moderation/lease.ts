import type { Collection, Filter } from 'mongodb';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import { TAKEN } from '#shared/moderation/admin-contract.ts';
import { LEASE_MINUTES } from '#shared/moderation/rules.ts';
import { MINUTE_MS } from '#shared/time.ts';
import type { Services } from '../../platform/services.ts';
import { namesOf } from '../profile/names.ts';
import type { Lease } from './collections.ts';

interface Leased {
  _id: string;
  lease?: Lease;
}

/** Matches rows that are nobody’s or the moderator’s own at a time. */
export const freeFor = (adminId: string, at: Date) => ({
  $or: [
    { lease: { $exists: false } },
    { 'lease.until': { $lte: at } },
    { 'lease.admin_user_id': adminId },
  ],
});

/** Returns a row’s lease while it holds, and null after that. */
export const currentLease = ({ lease }: Leased, at: Date): Lease | null =>
  lease && lease.until > at ? lease : null;

/**
 * Takes a row for a moderator in one atomic step, or renews that: of two who open it at once, one gets it (decision 256).
 * @throws HttpError 404; 409 `taken` while it is another moderator’s
 */
export async function takeLease<Row extends Leased>(
  { db }: Pick<Services, 'db'>,
  rows: Collection<Row>,
  { filter, adminId, what }: { filter: Filter<Row>; adminId: string; what: string },
): Promise<{ until: string }> {
  const at = new Date();
  const until = new Date(at.getTime() + LEASE_MINUTES * MINUTE_MS);
  const lease: Lease = { admin_user_id: adminId, until };
  const free = { $and: [filter, freeFor(adminId, at)] } as Filter<Row>;
  const { matchedCount } = await rows.updateOne(free, { $set: { lease } as never });
  if (matchedCount > 0) return { until: until.toISOString() };
  const row = (await rows.findOne(filter)) as Leased | null;
  if (!row) throw notFound(what);
  throw await takenBy({ db }, row);
}

/** Gives a row back. Another moderator’s lease stays. */
export async function releaseLease<Row extends Leased>(
  rows: Collection<Row>,
  id: string,
  adminId: string,
): Promise<void> {
  await rows.updateOne({ _id: id, 'lease.admin_user_id': adminId } as unknown as Filter<Row>, {
    $unset: { lease: '' } as never,
  });
}

/** The refusal of what another moderator works on. */
export async function takenBy({ db }: Pick<Services, 'db'>, { lease }: Leased): Promise<HttpError> {
  const id = lease?.admin_user_id ?? '';
  const name = (await namesOf(db, [id], { isForModerators: true })).get(id) ?? 'Another moderator';
  return new HttpError(409, `${name} is working on this`, { code: TAKEN });
}
