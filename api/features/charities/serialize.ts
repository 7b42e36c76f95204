import type { AdminCharity } from '#shared/charities/admin-contract.ts';
import type { Charity } from '#shared/charities/contract.ts';
import type { CharityRow } from './collections.ts';

/** A charity as members see it. */
export const present = (row: CharityRow): Charity => ({
  ...row,
  id: row._id,
  created_at: row.created_at.toISOString(),
});

export const presentForAdmins = (row: CharityRow): AdminCharity => ({
  ...row,
  ...present(row),
  version: row.version ?? 0,
});
