import {
  createCharity,
  createCharityDonation,
  listCharities,
  type CharitySort,
} from '#shared/charities/contract.ts';
import { NEAR_MAX } from '#shared/charities/rules.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { DAY_SECONDS } from '#shared/time.ts';
import { readPage, type Order } from '../../platform/admin/keyset-pagination.ts';
import { wordPrefixFilter } from '../../platform/admin/search.ts';
import { insertIfAbsent } from '../../platform/database.ts';
import {
  assertAccess,
  serve,
  serveAdmitted,
  type Announced,
} from '../../platform/http/mount-endpoint.ts';
import { addressOf, networkOf } from '../../platform/http/request-origin.ts';
import type { Api } from '../../platform/services.ts';
import { refuseContent } from '../content-rules/refuse-content.ts';
import { mountCharityAdmin } from './admin-routes.ts';
import { mountCharityPages } from './application-routes.ts';
import { charityWords, type CharityRow, charities, SHOWN } from './collections.ts';
import { recordDonation, runDonationsJob } from './donations.ts';
import { createCharityEmails } from './emails.ts';
import { storeLogo } from './logos.ts';
import { charitiesNear, locateCharities } from './near.ts';
import { runOldCharitiesJob } from './retention.ts';
import { present } from './serialize.ts';

const ORDERS: Record<Exclude<CharitySort, 'near'>, Order<CharityRow>> = {
  name: ['name_key', 1],
  donations: ['donation_count', -1],
  recent: ['created_at', -1],
};

/** Charities: members browse and suggest them and open their donation pages; charities apply. Decision 142. */
export function mountCharities(api: Api): void {
  const { services } = api;
  const { db, images, limiter } = services;
  const emails = createCharityEmails(services);
  services.registerJob('charity donations', () => runDonationsJob(db));
  services.registerJob('charity places', () => locateCharities(db));
  services.registerJob('old charity contacts', () => runOldCharitiesJob(db));
  images.spare((files) =>
    charities(db).distinct('logo_key', { logo_key: { $in: files.map(({ key }) => key) } }),
  );
  const limit = (name: string, points: number, seconds: number) =>
    limiter({ name, points, seconds, shared: true });
  const limitApplications = limit('charity-applications', 5, 3_600);
  const limitApplicationsDay = limit('charity-applications-day', 20, DAY_SECONDS);
  const limitSuggestions = limit('charity-suggestions', 10, DAY_SECONDS);
  const limitDonations = limiter({ name: 'charity-donations', points: 60, seconds: 3_600 });

  serve(api, listCharities, async ({ query }) => {
    const { latitude, longitude, sort, ...page } = query;
    const filter = { ...SHOWN, ...wordPrefixFilter(query.search, 'member_words') };
    if (sort === 'near' && latitude !== undefined && longitude !== undefined) {
      const found = await charitiesNear(db, filter, { latitude, longitude });
      return {
        charities: found,
        total: found.length,
        total_is_capped: found.length === NEAR_MAX,
        first: found.length > 0 ? 1 : 0,
        next_cursor: null,
        previous_cursor: null,
      };
    }
    const order = sort === 'near' ? 'name' : sort;
    const { rows, paged } = await readPage(charities(db), {
      filter,
      orders: ORDERS,
      query: { ...page, sort: order },
    });
    return { charities: rows.map(present), ...paged };
  });

  async function admit({ ctx, visitor }: Announced<unknown, unknown>): Promise<void> {
    if (!ctx.is('multipart/form-data')) return assertAccess(visitor, 'member');
    const network = networkOf(addressOf(ctx));
    await limitApplications.check(network);
    await limitApplicationsDay.check(network);
  }

  serveAdmitted(api, createCharity, admit, async ({ body, attachment, visitor, idFor, ctx }) => {
    const isApplication = Boolean(ctx.is('multipart/form-data'));
    if (isApplication) {
      const network = networkOf(addressOf(ctx));
      await limitApplications(network);
      await limitApplicationsDay(network);
    } else {
      // Members send suggestions as JSON; charities apply with a form.
      assertAccess(visitor, 'member');
      await limitSuggestions(visitor.user._id);
    }
    const _id = await idFor(visitor?.user._id ?? 'charity');
    const known = await charities(db).findOne({ _id });
    if (known) {
      if (isApplication) await emails.received(known);
      return { charity: present(known) };
    }
    const fields = { ...EMPTY, ...body };
    const { charity_name, description, address, city, state, website_url, payment_link } = fields;
    await refuseContent(services, {
      user_id: visitor?.user._id ?? null,
      content_type: 'charity',
      content_id: _id,
      fields: { charity_name, description, address, city, state, website_url, payment_link },
    });
    const row: CharityRow = {
      _id,
      ...fields,
      name_key: fields.charity_name.toLowerCase(),
      ...charityWords(fields),
      logo_key: attachment && (await storeLogo(services, attachment, _id)),
      source: isApplication ? 'application' : 'suggestion',
      suggested_by_user_id: isApplication ? null : (visitor?.user._id ?? null),
      is_verified: false,
      is_active: true,
      donation_count: 0,
      total_donated_cents: 0,
      counted: [],
      created_at: new Date(),
    };
    await insertIfAbsent(charities(db), row);
    if (isApplication) await emails.received(row);
    return { charity: present(row) };
  });

  serve(api, createCharityDonation, async ({ body: { charity_id }, caller: { user } }) => {
    await limitDonations(user._id);
    if (!(await charities(db).findOne({ _id: charity_id, ...SHOWN })))
      throw new HttpError(404, 'Charity not found');
    await recordDonation(db, charity_id, user._id);
    return {};
  });

  mountCharityAdmin(api, emails);
  mountCharityPages(api);
}

const EMPTY = {
  contact_name: null,
  phone: null,
  website_url: null,
  tax_id: null,
  address: null,
  city: null,
  state: null,
  zip_code: null,
};
