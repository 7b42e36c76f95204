import type { AdminCharity } from '#shared/charities/admin-contract.ts';
import type { Charity } from '#shared/charities/contract.ts';
import type { CharityRow } from './collections.ts';

/** A charity as members see it. */
export const present = (row: CharityRow): Charity => ({
  id: row._id,
  charity_name: row.charity_name,
  description: row.description,
  phone: row.phone,
  website_url: row.website_url,
  tax_id: row.tax_id,
  address: row.address,
  city: row.city,
  state: row.state,
  zip_code: row.zip_code,
  payment_link: row.payment_link,
  logo_key: row.logo_key,
  is_verified: row.is_verified,
  is_active: row.is_active,
  donation_count: row.donation_count,
  total_donated_cents: row.total_donated_cents,
  created_at: row.created_at.toISOString(),
});

/** With whom to call about it, and where it came from. */
export const presentForAdmins = (row: CharityRow): AdminCharity => ({
  ...present(row),
  contact_name: row.contact_name,
  contact_email: row.contact_email,
  source: row.source,
  version: row.version ?? 0,
});
