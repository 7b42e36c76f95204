import { DONATION_CENTS } from '#shared/payments/contract.ts';
import { codeIdOf } from '../../api/payments/donation-ownership.ts';
import { UNPAID_DAYS } from '../../api/payments/retention.ts';
import { donationOn } from '../../api/charities/donations.ts';
import { charityWords } from '../../api/charities/collections.ts';
import { wordsOf } from '../../api/admin/search.ts';
import { originAt, paidInSandbox } from './payments.ts';
import type { Rows } from './rows.ts';
import { DAY_MS, type Person, type Street } from './user-cluster.ts';
import { CHARITIES, FIRST_NAMES, LAST_NAMES } from './sample-data.ts';

/** So many streets have a charity together. */
const STREETS_A_CHARITY = 10;
/** So many of a street came in by a donation. */
const DONORS = 2;

/** Adds what the people of a street give: for their own access, and to a charity where there is one. */
export function addGiving(street: Street, rows: Rows): void {
  for (let i = 0; i < DONORS; i++) addDonation(street, i, rows);
  if (street.number % STREETS_A_CHARITY === 0) addCharity(street, rows);
}

function addCharity(street: Street, rows: Rows): void {
  const chance = street.choices('charity');
  const [founder] = street.people as [Person];
  const [kind, description] = chance.pick(CHARITIES);
  const city = chance.pick(LAST_NAMES);
  const charity_name = `${kind} of ${city}`;
  const _id = street.id('charity');
  const told = {
    charity_name,
    city,
    state: 'Oregon',
    contact_email: `charity-${street.seed}-${street.number}@example.com`,
    tax_id: null,
  };
  const is_verified = chance.chance(0.9);
  const donations = is_verified
    ? street.people
        .filter(() => chance.chance(0.4))
        .map(({ id }) => {
          const at = new Date(street.now.getTime() - chance.uniform() * 90 * DAY_MS);
          return { ...donationOn(at, _id, id), is_counted: true };
        })
    : [];
  rows.charity_donations.push(...donations);
  rows.charities.push({
    _id,
    ...told,
    name_key: charity_name.toLowerCase(),
    ...charityWords(told),
    description,
    contact_name: chance.pick(FIRST_NAMES),
    phone: null,
    website_url: null,
    address: null,
    zip_code: null,
    payment_link: `https://example.com/give/${street.number}`,
    logo_key: null,
    source: 'suggestion',
    suggested_by_user_id: founder.id,
    is_verified,
    is_active: true,
    donation_count: donations.length,
    total_donated_cents: donations.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
    counted: [],
    created_at: founder.joined,
  });
}

/** One of the first people of a street donated, and came in with the code; of some the card was refused when they donated again. */
function addDonation(street: Street, i: number, rows: Rows): void {
  const person = street.people[i];
  if (!person) return;
  const chance = street.choices(`donation ${i}`);
  const at = person.joined;
  const { now } = street;
  const holder = street.id(`donor ${i}`);
  const base = {
    email: person.email,
    amount_cents: DONATION_CENTS,
    kind: 'donation',
    now,
  } as const;
  if (chance.chance(0.1)) {
    const _id = street.id(`donation ${i} refused`);
    // Recently: one that nobody paid is deleted after a while.
    const tried = new Date(now.getTime() - chance.uniform() * (UNPAID_DAYS / 2) * DAY_MS);
    const paid = paidInSandbox({ ...base, _id, at: tried, status: 'failed' }, rows);
    rows.donations.push({ ...paid, holder, user_id: person.id, access_code_granted: null });
  }
  const _id = street.id(`donation ${i}`);
  const code = `PAW-${street.id(`code ${i}`).replaceAll(/[\W_]/g, '').slice(0, 12).toUpperCase()}`;
  const description = 'Donation';
  const paid = paidInSandbox({ ...base, _id, at, status: 'completed' }, rows);
  rows.donations.push({ ...paid, holder, user_id: person.id, access_code_granted: code });
  const access_code_id = codeIdOf(_id);
  rows.access_codes.push({
    _id: access_code_id,
    code,
    description,
    max_uses: 1,
    current_uses: 1,
    is_active: true,
    expires_at: null,
    created_at: at,
    holder,
    source: 'donation',
    words: wordsOf(code, description),
  });
  rows.access_code_uses.push({
    _id: street.id(`use ${i}`),
    access_code_id,
    user_id: person.id,
    ip_address: originAt(at, now).ip_address,
    used_at: at,
  });
}
