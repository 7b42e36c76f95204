import type { Filter, Db } from 'mongodb';
import type { z } from 'zod';
import { notFound } from '#shared/http/http-error.ts';
import {
  actOnPerson,
  findPeople,
  getAdminPicture,
  getPerson,
  PEOPLE_MAX,
  ROWS_MAX,
  type FoundPerson,
  type ListedPerson,
} from '#shared/moderation/people-contract.ts';
import type { CardRow, UserRow } from '#shared/server/collections.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { auditLog } from '../../platform/admin/collections.ts';
import { readPage } from '../../platform/admin/keyset-pagination.ts';
import { sendFile } from '../../platform/files/send.ts';
import { fileStore } from '../../platform/files/store.ts';
import { serve, serveStream } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import type { Caller } from '../../platform/session-cache.ts';
import { findUser, NOT_DELETED, users, sessions } from '../../platform/session/collections.ts';
import { moderationLog } from '../content-rules/collections.ts';
import { locations as locationRows, locationTips } from '../locations/collections.ts';
import { presentLocation, presentTip } from '../locations/store.ts';
import { cards } from '../profile/collections.ts';
import { NAMED, userWarnings, messageReports } from './collections.ts';
import { carryOutAct } from './content/content-acts.ts';
import { presentLog } from './moderation-log.ts';
import { searchPeople } from './people-search.ts';
import { reportsForAdmins } from './reports/reports.ts';
import { visibleReports } from './reports/resolve-report.ts';
import { presentForAdmins } from './sanctions.ts';

const present = (user: UserRow, card: CardRow | null | undefined): FoundPerson => ({
  user_id: user._id,
  name: card?.display_name || user.given_name,
  email: user.email,
  joined_at: user.created_at.toISOString(),
});

const dayOf = (time: Date) => time.toISOString().slice(0, 10);

const presentAccount = (
  user: UserRow,
  card: CardRow | null | undefined,
  lastUsed: Date | undefined,
): Omit<ListedPerson, 'sanctions'> => ({
  ...present(user, card),
  is_admin: user.is_admin,
  access_expires_at: user.access_expires_at?.toISOString() ?? null,
  last_seen_on: lastUsed ? dayOf(lastUsed) : null,
  restricted_until: user.restricted_until?.toISOString() ?? null,
  suspended_until: user.suspended_until?.toISOString() ?? null,
});

type Listing = z.output<NonNullable<(typeof findPeople)['query']>>;

function statusFilter(status: Listing['status'], now: Date): Filter<UserRow> {
  if (status === 'admin') return { is_admin: true, ...NOT_DELETED };
  return { ...(status && { [`${status}_until`]: { $gt: now } }), ...NOT_DELETED };
}

/** An admin who reloads a person within this time has opened them once. */
const OPENED_MS = 15 * MINUTE_MS;

/** Lets moderators view a user and act on their content. */
export function mountPeople(api: Api): void {
  const { services } = api;
  const { db } = services;
  const pictures = fileStore(db, 'images');

  /** @throws HttpError 404 */
  async function find(id: string): Promise<UserRow> {
    const user = await findUser(db, id);
    if (!user) throw notFound('User');
    return user;
  }

  serve(api, findPeople, async ({ query: { search: text, status, ...query } }) => {
    const filter = statusFilter(status, new Date());
    if (!text) {
      const { rows, paged } = await readPage(users(db), {
        filter,
        orders: { newest: ['created_at', -1], oldest: ['created_at', 1] },
        query,
      });
      return {
        people: await presentList(db, rows),
        has_more: paged.next_cursor !== null,
        ...paged,
      };
    }
    const found = await searchPeople(db, text, filter);
    const has_more = found.length > PEOPLE_MAX;
    const people = await presentList(db, found.slice(0, PEOPLE_MAX));
    return {
      people: people.toSorted((a, b) => a.name.localeCompare(b.name)),
      has_more,
      total: people.length,
      first: Math.min(1, people.length),
      total_is_capped: has_more,
      next_cursor: null,
      previous_cursor: null,
    };
  });

  /** Records that an admin opened a person; reloads soon after count as the same. */
  async function recordOpening(caller: Caller, id: string): Promise<void> {
    const recent = await auditLog(db)
      .find({
        subject_id: id,
        act: 'person.open',
        admin_user_id: caller.user._id,
        at: { $gt: new Date(Date.now() - OPENED_MS) },
      })
      .limit(1)
      .next();
    if (recent) return;
    const opening = { caller, act: 'person.open' as const, subject_id: id };
    await services.audit({ ...opening, before: null, after: null }, async () => {});
  }

  serve(api, getPerson, async ({ params: { id }, caller }) => {
    const user = await find(id);
    await recordOpening(caller, id);
    const newest = { sort: { created_at: -1 } as const, limit: ROWS_MAX };
    const own = { creator_user_id: id, is_public: true };
    const [card, session, warnings, about, by, locations, tips, flagged] = await Promise.all([
      cards(db).findOne({ _id: id }),
      sessions(db).findOne({ user_id: id }, { sort: { last_used_at: -1 } }),
      userWarnings(db)
        .find({ user_id: id, ...NAMED }, newest)
        .toArray(),
      messageReports(db)
        .find({ reported_user_id: id, ...(await visibleReports(services, caller)) }, newest)
        .toArray(),
      messageReports(db)
        .find({ reporter_user_id: id, ...(await visibleReports(services, caller)) }, newest)
        .toArray(),
      locationRows(db).find(own, newest).toArray(),
      locationTips(db).find(own, newest).toArray(),
      moderationLog(db)
        .find({ user_id: id, moderation_type: 'rule', flagged_content: { $ne: null } }, newest)
        .toArray(),
    ]);
    const hidden = new Set(card?.hidden_names);
    return {
      account: {
        ...presentAccount(user, card, session?.last_used_at),
        email_verified: user.email_verified,
        given_name: user.given_name,
      },
      warnings: await presentForAdmins(services, warnings),
      reports_about: await reportsForAdmins(services, about),
      reports_by: await reportsForAdmins(services, by),
      is_name_hidden: card !== null && hidden.has(card.display_name),
      dogs: (card?.dogs ?? []).map(({ id: dogId, name, image_key }) => ({
        id: dogId,
        name,
        is_hidden: hidden.has(name),
        image_key,
      })),
      locations: locations.map((row) => ({ ...presentLocation(row), version: row.version ?? 0 })),
      tips: tips.map((row) => ({ ...presentTip(row), version: row.version ?? 0 })),
      flagged: await presentLog(services, flagged),
    };
  });

  serve(api, actOnPerson, async ({ params: { id }, body: { act, reason }, caller }) => {
    await find(id);
    const by = { moderation_type: 'admin' as const, admin_user_id: caller.user._id };
    const { type, ...after } = act;
    await services.audit(
      {
        caller,
        act: `person.${type.replaceAll('_', '-')}`,
        subject_id: id,
        before: null,
        after,
        reason,
      },
      () => carryOutAct(services, id, act, by),
    );
    return {};
  });

  serveStream(api, getAdminPicture, async ({ params: { id }, ctx }) => {
    const file = await pictures.find(id);
    if (!file) throw notFound('File');
    sendFile(ctx, id, file);
  });
}

async function presentList(db: Db, rows: UserRow[]): Promise<ListedPerson[]> {
  const ids = rows.map(({ _id }) => _id);
  const of = { user_id: { $in: ids } };
  const [named, seen, sanctioned] = await Promise.all([
    cards(db)
      .find({ _id: { $in: ids } })
      .toArray(),
    sessions(db)
      .aggregate<{ _id: string; at: Date }>([
        { $match: of },
        { $group: { _id: '$user_id', at: { $max: '$last_used_at' } } },
      ])
      .toArray(),
    userWarnings(db)
      .aggregate<{ _id: string; count: number }>([
        { $match: { ...of, ...NAMED } },
        { $group: { _id: '$user_id', count: { $sum: 1 } } },
      ])
      .toArray(),
  ]);
  const cardOf = new Map(named.map((card) => [card._id, card]));
  const seenAt = new Map(seen.map(({ _id, at }) => [_id, at]));
  const countOf = new Map(sanctioned.map(({ _id, count }) => [_id, count]));
  return rows.map((user) => ({
    ...presentAccount(user, cardOf.get(user._id), seenAt.get(user._id)),
    sanctions: countOf.get(user._id) ?? 0,
  }));
}
