import { DONATION_CENTS } from '#shared/payments/contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { codeIdOf } from '../../api/features/payments/donation-ownership.ts';
import { UNPAID_DAYS } from '../../api/features/payments/retention.ts';
import { donationOn } from '../../api/features/charities/donations.ts';
import { charityWords } from '../../api/features/charities/collections.ts';
import { unusedCode } from '../../api/features/access-gate/new-code.ts';
import { originAt, paidInSandbox } from './payments.ts';
import type { Rows } from './rows.ts';
import { type Person, type Street } from './user-cluster.ts';
import { CHARITIES, FIRST_NAMES, LAST_NAMES } from './sample-data.ts';

/** One of this many streets has a charity. */
const STREETS_PER_CHARITY = 10;
/** The number of people per street who donated for access. */
const DONORS = 2;

/** Adds donations for access, and to some streets a charity with donations. */
export function addDonations(street: Street, rows: Rows): void {
  for (let i = 0; i < DONORS; i++) addDonation(street, i, rows);
  if (street.number % STREETS_PER_CHARITY === 0) addCharity(street, rows);
}

function addCharity(street: Street, rows: Rows): void {
  const random = street.random('charity');
  const [founder] = street.people as [Person];
  const [kind, description] = random.pick(CHARITIES);
  const city = random.pick(LAST_NAMES);
  const charity_name = `${kind} of ${city}`;
  const _id = street.id('charity');
  const fields = {
    charity_name,
    city,
    state: 'Oregon',
    contact_email: `charity-${street.seed}-${street.number}@example.com`,
    tax_id: null,
  };
  const is_verified = random.chance(0.9);
  const donations = is_verified
    ? street.people
        .filter(() => random.chance(0.4))
        .map(({ id }) => {
          const at = new Date(street.now.getTime() - random.uniform() * 90 * DAY_MS);
          return { ...donationOn(at, _id, id), is_counted: true };
        })
    : [];
  rows.charity_donations.push(...donations);
  rows.charities.push({
    _id,
    ...fields,
    name_key: charity_name.toLowerCase(),
    ...charityWords(fields),
    description,
    contact_name: random.pick(FIRST_NAMES),
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

/** Adds the donation of a person and the access code for it. Some tried to donate again with a card that was declined. */
function addDonation(street: Street, i: number, rows: Rows): void {
  const person = street.people[i];
  if (!person) return;
  const random = street.random(`donation ${i}`);
  const at = person.joined;
  const { now } = street;
  const holder = street.id(`donor ${i}`);
  const base = {
    email: person.email,
    amount_cents: DONATION_CENTS,
    kind: 'donation',
    now,
  } as const;
  if (random.chance(0.1)) {
    const _id = street.id(`donation ${i} refused`);
    // Recent, because unpaid donations are deleted after a while.
    const tried = new Date(now.getTime() - random.uniform() * (UNPAID_DAYS / 2) * DAY_MS);
    const paid = paidInSandbox({ ...base, _id, at: tried, status: 'failed' }, rows);
    rows.donations.push({ ...paid, holder, user_id: person.id, access_code_granted: null });
  }
  const _id = street.id(`donation ${i}`);
  const code = `PAW-${street.id(`code ${i}`).replaceAll(/[\W_]/g, '').slice(0, 12).toUpperCase()}`;
  const paid = paidInSandbox({ ...base, _id, at, status: 'completed' }, rows);
  rows.donations.push({ ...paid, holder, user_id: person.id, access_code_granted: code });
  const access_code_id = codeIdOf(_id);
  rows.access_codes.push({
    ...unusedCode({
      _id: access_code_id,
      code,
      description: 'Donation',
      max_uses: 1,
      expires_at: null,
      holder,
      source: 'donation',
    }),
    current_uses: 1,
    created_at: at,
  });
  rows.access_code_uses.push({
    _id: street.id(`use ${i}`),
    access_code_id,
    user_id: person.id,
    ip_address: originAt(at, now).ip_address,
    used_at: at,
  });
}
