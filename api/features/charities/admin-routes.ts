import type { Filter, Db } from 'mongodb';
import type { z } from 'zod';
import {
  changeCharities,
  charityAnalytics,
  deleteCharity,
  editCharity,
  exportCharities,
  getCharity,
  listAllCharities,
  rejectCharity,
  updateCharity,
} from '#shared/charities/admin-contract.ts';
import { REQUIRED_FIELDS } from '#shared/charities/contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { DAY_MS } from '#shared/time.ts';
import { doEach } from '../../platform/admin/do-each.ts';
import { readAll, readPage, type Order } from '../../platform/admin/keyset-pagination.ts';
import { omitUndefined } from '../../platform/admin/omit-undefined.ts';
import { wordPrefixFilter } from '../../platform/admin/search.ts';
import { serveExport } from '../../platform/admin/serve-export.ts';
import { edit, removeRow, type Edit } from '../../platform/admin/versioned-edit.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api, Services } from '../../platform/services.ts';
import type { Caller } from '../../platform/session-cache.ts';
import {
  type CharityRow,
  charities,
  charityDonations,
  charityWords,
  withoutRejection,
} from './collections.ts';
import type { CharityEmails } from './emails.ts';
import { logoOwner } from './logos.ts';
import { presentForAdmins } from './serialize.ts';

type Wanted = z.output<NonNullable<(typeof exportCharities)['query']>>;

const missing = 'Charity not found';

const ORDERS: Record<Wanted['sort'], Order<CharityRow>> = {
  newest: ['created_at', -1],
  oldest: ['created_at', 1],
  name: ['name_key', 1],
  donations: ['donation_count', -1],
};

/** Matches charities that wait to be verified. */
export const UNVERIFIED = { is_verified: false, 'rejection.at': { $exists: false } as const };

const VERIFICATIONS: Record<'verified' | 'pending' | 'rejected', Filter<CharityRow>> = {
  verified: { is_verified: true },
  pending: UNVERIFIED,
  rejected: { is_verified: false, 'rejection.at': { $type: 'date' } },
};

const filterOf = ({ search, verification, activity, source }: Wanted): Filter<CharityRow> => ({
  ...wordPrefixFilter(search),
  ...(verification && VERIFICATIONS[verification]),
  ...(activity && { is_active: activity === 'active' }),
  ...(source && { source }),
});

/** The fields of a charity in the audit log. */
const auditFields = ({
  charity_name,
  payment_link,
  is_verified,
  is_active,
  source,
}: CharityRow) => ({
  charity_name,
  payment_link,
  is_verified,
  is_active,
  source,
});

/** Whether the email about the approval of an application is due. */
const isApproved = (row: CharityRow): boolean =>
  row.is_verified &&
  row.is_active &&
  row.source === 'application' &&
  row.is_approval_notified === undefined;

/** The admin panel's charities. */
export function mountCharityAdmin(api: Api, emails: CharityEmails): void {
  const { services } = api;

  async function change(
    caller: Caller,
    id: string,
    set: Edit<CharityRow>['set'],
    version: number | undefined,
  ): Promise<CharityRow> {
    const row = await edit(services, charities(services.db), {
      caller,
      act: 'charity.update',
      id,
      version,
      set,
      unrecorded: ['contact_name', 'contact_email', 'phone'],
      derive: (next) => ({
        name_key: next.charity_name.toLowerCase(),
        ...charityWords(next),
        // In the same update, so that a crash doesn't lose the email.
        ...(isApproved(next) && { is_approval_notified: false }),
        ...(next.is_verified && withoutRejection(next)),
      }),
      missing,
    });
    if (row.is_approval_notified === false) await sendApproval(services.db, emails, row);
    return row;
  }

  services.registerJob('charity rejection emails', () =>
    forEachIsolated(charities(services.db).find({ is_rejection_notified: false }), (row) =>
      sendRejection(services.db, emails, row),
    ),
  );
  services.registerJob('charity approval emails', () =>
    forEachIsolated(charities(services.db).find({ is_approval_notified: false }), (row) =>
      sendApproval(services.db, emails, row),
    ),
  );

  serve(api, listAllCharities, async ({ query }) => {
    const filter = filterOf(query);
    const { rows, paged } = await readPage(charities(services.db), {
      filter,
      orders: ORDERS,
      query,
    });
    return { charities: rows.map(presentForAdmins), ...paged };
  });

  serveExport(api, exportCharities, {
    kind: 'charity',
    name: 'charities',
    rows: (query) =>
      readAll(charities(services.db), { filter: filterOf(query), orders: ORDERS, query }),
    columns: {
      Charity: (row) => row.charity_name,
      Description: (row) => row.description,
      Contact: (row) => row.contact_name,
      Email: (row) => row.contact_email,
      Phone: (row) => row.phone,
      Website: (row) => row.website_url,
      'Tax ID': (row) => row.tax_id,
      Address: (row) => row.address,
      City: (row) => row.city,
      State: (row) => row.state,
      'ZIP code': (row) => row.zip_code,
      'Payment link': (row) => row.payment_link,
      Verified: (row) => (row.is_verified ? 'yes' : 'no'),
      Active: (row) => (row.is_active ? 'yes' : 'no'),
      Donations: (row) => row.donation_count,
      'Donated (USD)': (row) => row.total_donated_cents / 100,
      Source: (row) => row.source,
      Created: (row) => row.created_at,
    },
  });

  serve(api, getCharity, async ({ params: { id } }) => {
    const row = await charities(services.db).findOne({ _id: id });
    if (!row) throw new HttpError(404, missing);
    return { charity: presentForAdmins(row) };
  });

  serve(api, charityAnalytics, async () => ({ stats: await charityStats(services.db) }));

  serve(api, updateCharity, async ({ params: { id }, body: { version, ...set }, caller }) => ({
    charity: presentForAdmins(await change(caller, id, set, version)),
  }));

  serve(api, rejectCharity, async ({ params: { id }, body: { version, reason }, caller }) => {
    const before = await charities(services.db).findOne({ _id: id });
    if (before?.is_verified)
      throw new HttpError(409, 'This charity is verified. Deactivate it instead.');
    const row = await edit(services, charities(services.db), {
      caller,
      act: 'charity.reject',
      id,
      version,
      set: { rejection: { reason, at: new Date() } },
      derive: (next) => ({
        ...(next.source === 'application' && { is_rejection_notified: false }),
      }),
      missing,
    });
    if (row.is_rejection_notified === false) await sendRejection(services.db, emails, row);
    return { charity: presentForAdmins(row) };
  });

  serve(api, editCharity, async ({ params: { id }, body: { version, ...set }, caller }) => {
    const row = await charities(services.db).findOne({ _id: id });
    const { contact_name, contact_email } = { ...row, ...omitUndefined(set) };
    // A contact without an address would not be deleted with its account.
    if (contact_name && !contact_email) {
      const message = `${REQUIRED_FIELDS.contact_email} is required`;
      throw new HttpError(400, message, { fields: { contact_email: message } });
    }
    return { charity: presentForAdmins(await change(caller, id, set, version)) };
  });

  serve(api, deleteCharity, async ({ params: { id }, query: { version }, caller }) => {
    await remove(services, emails, { caller, id, version });
    return {};
  });

  serve(api, changeCharities, async ({ body: { action, items }, caller }) =>
    doEach(items, async ({ id, version }) => {
      if (action === 'delete') return remove(services, emails, { caller, id, version });
      const set =
        action === 'verify' ? { is_verified: true } : { is_active: action === 'activate' };
      return change(caller, id, set, version);
    }),
  );
}

async function sendApproval(db: Db, emails: CharityEmails, row: CharityRow): Promise<void> {
  const isShown = row.is_verified && row.is_active;
  if (isShown) await emails.approved(row);
  await charities(db).updateOne(
    { _id: row._id },
    // Taken back before the email was sent: it is due again when everybody sees the charity again.
    isShown ? { $set: { is_approval_notified: true } } : { $unset: { is_approval_notified: 1 } },
  );
}

async function sendRejection(db: Db, emails: CharityEmails, row: CharityRow): Promise<void> {
  if (row.rejection) await emails.rejected(row, row.rejection);
  await charities(db).updateOne({ _id: row._id }, { $set: { is_rejection_notified: true } });
}

async function remove(
  services: Services,
  emails: CharityEmails,
  { caller, id, version }: { caller: Caller; id: string; version: number | undefined },
): Promise<void> {
  const row = await charities(services.db).findOne({ _id: id });
  const removeRelated = async () => {
    await charityDonations(services.db).deleteMany({ charity_id: id });
    await emails.forget(id);
  };
  await removeRow(services, charities(services.db), {
    caller,
    act: 'charity.delete',
    id,
    version,
    missing,
    auditFields,
    first: removeRelated,
  });
  // Again, for rows that were added in the meantime.
  await removeRelated();
  if (row?.logo_key) await services.images.remove(row.logo_key, logoOwner(id));
}

async function charityStats(db: Db) {
  const [total_charities, verified_charities, given, donations_last_24h] = await Promise.all([
    charities(db).estimatedDocumentCount(),
    charities(db).countDocuments({ is_verified: true }),
    charities(db)
      .aggregate<{ cents: number }>([
        // Uses the index of charities that have donations.
        { $match: { total_donated_cents: { $gt: 0 } } },
        { $group: { _id: null, cents: { $sum: '$total_donated_cents' } } },
      ])
      .next(),
    charityDonations(db).countDocuments({
      created_at: { $gt: new Date(Date.now() - DAY_MS) },
    }),
  ]);
  return {
    total_charities,
    verified_charities,
    total_donated_cents: given?.cents ?? 0,
    donations_last_24h,
  };
}
