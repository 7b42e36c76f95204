import type { AdminCharity } from '#shared/charities/admin-contract.ts';
import type { Charity } from '#shared/charities/contract.ts';
import type { CharityRow } from './collections.ts';

/** A charity as members see it. */
export const present = (row: CharityRow): Charity => ({
  ...row,
  id: row._id,
  story: row.story ?? null,
  goal_cents: row.goal_cents ?? null,
  updates: (row.updates ?? []).map(({ text, at }) => ({ text, at: at.toISOString() })),
  distance_miles: null,
  created_at: row.created_at.toISOString(),
});

export const presentForAdmins = (row: CharityRow): AdminCharity => ({
  ...row,
  ...present(row),
  rejection: row.rejection
    ? { reason: row.rejection.reason, at: row.rejection.at.toISOString() }
    : null,
  version: row.version ?? 0,
});
