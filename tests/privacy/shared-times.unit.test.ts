import { expect, test } from 'vitest';
import { z } from 'zod';
import { contracts } from '#shared/contracts.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import { SHARED_FIELDS } from './privacy-document.ts';

/** The times and counts in answers that another person causes, as docs/privacy.md names them. A name may stand for many fields. */
const SHARED: [pattern: RegExp, row: string][] = [
  [/^POST \/weather: weather\.retrieved_at$/, 'weather.retrieved_at'],
  [/ hazards?\.reported_at$/, 'hazard.reported_at'],
  [/ hazards?\.expires_at$/, 'hazard.expires_at'],
  [/ hazards?\.confirmed_count$/, 'hazard.confirmed_count'],
  [/ hazards?\.denied_count$/, 'hazard.denied_count'],
  [/(^|[ .])tips?\.created_at$/, 'tip.created_at'],
  [/(^|[ .])tips?\.is_helpful_count$|helpful: is_helpful_count$/, 'tip.is_helpful_count'],
  [/(^|[ .])photos?\.created_at$/, 'photo.created_at'],
  [/ locations?\.visit_count$/, 'location.visit_count'],
  [/ locations?\.tip_count$/, 'location.tip_count'],
  [/ alternatives\.types\.count$/, 'alternatives.types.count'],
  [/\/friendly-index: /, 'friendly-index'],
  [
    / listings\.(days\.(date|impressions)|impressions)$|location-based-ads\/:id: advertisement\.(days\.(date|impressions)|impressions)$/,
    'listing.impressions',
  ],
  [
    / listings\.(days\.)?clicks$|location-based-ads\/:id: advertisement\.(days\.)?clicks$/,
    'listing.clicks',
  ],
  [
    /dashboard: ads\.(days\.(date|impressions)|impressions)$|advertiser-ads.*: advertisement\.(days\.(date|impressions)|impressions)$/,
    'ad.impressions',
  ],
  [
    /dashboard: ads\.(days\.)?clicks$|advertiser-ads.*: advertisement\.(days\.)?clicks$/,
    'ad.clicks',
  ],
  [/^GET \/advertiser-slots\/taken: taken\.(start|end)$/, 'slot.taken'],
  [/ views\.(low|high)$/, 'views'],
  [/ messages?\.(created_at|at)$/, 'message.created_at'],
  [/ messages?\.updated_at$/, 'message.updated_at'],
  [/ conversations\.last_activity$/, 'conversation.last_activity'],
  [/ conversations\.unread_count$/, 'conversation.unread_count'],
  [/ (friend_request|received|sent)\.created_at$/, 'friend_request.created_at'],
  [/ (friend_request|received|sent)\.updated_at$/, 'friend_request.updated_at'],
  [/ friends\.created_at$/, 'friend.created_at'],
  [/ (referral|recent_referrals)\.accessed_at$/, 'referral.accessed_at'],
  [/ (successful|total|email|sms)_referrals$/, 'referrals'],
  [/ (planned_walks|announced)\.starts_at$/, 'planned_walk.starts_at'],
  [/ planned_walks\.others\./, 'planned_walk.others'],
  [/ encounters\.met_at$/, 'encounter.met_at'],
  [/ triggered_at$/, 'encounter.triggered_at'],
  [/ (nearbyUsers|user)\.distance_feet$/, 'nearby.distance_feet'],
  [/ (nearbyUsers|user)\.closest_in_seconds$/, 'nearby.closest_in_seconds'],
  [/^GET \/walkers: walkers$/, 'walkers'],
  [/^GET \/advertiser-audience: members$/, 'members'],
  [/ next_update_seconds$/, 'next_update_seconds'],
  [/ charit(y|ies)\.donation_count$/, 'charity.donation_count'],
  [/ charit(y|ies)\.total_donated_cents$/, 'charity.total_donated_cents'],
  [/ mutual_friends_count$/, 'mutual_friends_count'],
  [/(users\/:id\/profile|friend_card): join_date$/, 'profile.join_date'],
  [/(users\/:id\/profile|friend_card): dogs\.created_at$/, 'dog.created_at'],
  [/^document segment: at$/, 'message.created_at'],
  [/^document segment: (received|read|(messages\.)?seq)$/, 'message.is_read'],
];

/** Those that are the caller's own, of the product, or measured by no person. */
const OWN = [
  / (latitude|longitude|.*_latitude|.*_longitude|.*\.latitude|.*\.longitude|.*radius_miles|.*distance_miles|town\.miles)$/,
  /access|referrals\/|sessions|users\/me|access-codes|donations: |friend-link|user-blocks|user-warnings|search-invitations|reports: /,
  /location-visits(\/:id)?: |own_rating$| codes_(per_month|left)$| referral\.sent_at$| recent_referrals\.sent_at$/,
  / (alerts?\.(starts_at|expires_at|acknowledged_at)|acknowledged_at|server_time)$/,
  /(id|priority|_cents|duration_hours|next_period|tax\.percent)$/,
  / (ads|advertisements?|listings|payments)\.(created_at|expires_at|taken_down_at|scheduled_.*_at|subscription_.*_date)$/,
  /^(GET|POST) \/profile(\/full)?: |(GET|POST|PUT) \/dogs[^ ]*: dogs?\.created_at$/,
  /(GET|PUT) \/drafts[^ ]*: /,
  / next_free_at$| charit(y|ies)\.(created_at|updates\.at)$| total$| first$| marked$/,
  /charity-application: version$/,
  /^GET \/activity: activity\.told_at$/,
  /POST \/weather: weather\.(?!retrieved_at)/,
  /^document segment: .*(photo\.(width|height)|voice\.seconds|reply_to\.number)$/,
];

interface Schema {
  type?: string;
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** Returns the paths of times and numbers in a schema, without marks for lists. */
function measured(schema: Schema, path: string[] = []): string[] {
  const {
    anyOf = [],
    oneOf = [],
    allOf = [],
    properties = {},
    items,
    additionalProperties,
  } = schema;
  const isMeasured =
    ['integer', 'number'].includes(schema.type ?? '') ||
    ['date-time', 'date'].includes(schema.format ?? '') ||
    (schema.type === 'string' && /(^|_)(at|date)$/.test(path.at(-1) ?? ''));
  return [
    ...(isMeasured ? [path.join('.')] : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((each) => measured(each, path)),
    ...Object.entries(properties).flatMap(([name, each]) => measured(each, [...path, name])),
    ...(items ? measured(items, path) : []),
    ...(typeof additionalProperties === 'object' ? measured(additionalProperties, path) : []),
  ];
}

const measuredIn = (name: string, schema: z.ZodType) =>
  measured(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as Schema).map(
    (field) => `${name}: ${field}`,
  );

/** Of answers, and of the documents of which others have a copy. */
const fields = [
  ...[...contracts.values()]
    .filter(({ access }) => access !== 'admin')
    .flatMap(({ method, path, answer }) => measuredIn(`${method} ${path}`, answer)),
  ...(['friend_card', 'segment'] as const).flatMap((kind) =>
    Object.values(documentKinds[kind].changes).flatMap(({ input }) =>
      measuredIn(`document ${kind}`, input),
    ),
  ),
];

test('each time and count in an answer is in docs/privacy.md or the caller’s own', () => {
  expect(fields.length).toBeGreaterThan(100);
  const unknown = fields.filter(
    (field) =>
      !SHARED.some(([pattern]) => pattern.test(field)) && !OWN.some((own) => own.test(field)),
  );
  expect([...new Set(unknown)]).toEqual([]);
});

test('docs/privacy.md lists exactly the times and counts that another person causes', () => {
  expect(SHARED_FIELDS.toSorted()).toEqual([...new Set(SHARED.map(([, row]) => row))].toSorted());
  const unused = SHARED.filter(([pattern]) => !fields.some((field) => pattern.test(field)));
  expect(unused).toEqual([]);
});
