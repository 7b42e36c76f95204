import { userWarnings, messageReports, moderationLog } from './collections.ts';
import { locations as locationRows, locationTips } from '../locations/collections.ts';
import { findUser, NOT_DELETED, users, sessions } from '../session/collections.ts';
import { cards } from '../profile/collections.ts';
import {
  actOnPerson,
  findPeople,
  getAdminPicture,
  getPerson,
  PEOPLE_MAX,
  ROWS_MAX,
  type FoundPerson,
} from '#shared/moderation/people-contract.ts';
import { nameWords } from '#shared/invitations/rules.ts';
import type { CardRow, UserRow } from '#shared/server/collections.ts';
import { prefixRange } from '../admin/search.ts';
import { sendFile } from '../files/send.ts';
import { fileStore } from '../files/store.ts';
import { presentLocation, presentTip } from '../locations/store.ts';
import { notFound } from '../http/http-error.ts';
import { serve, serveStream } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';
import { carryOutAct } from './content/content-acts.ts';
import { visibleReports } from './reports/resolve-report.ts';
import { presentLog } from './moderation-log.ts';
import { presentForAdmins } from './sanctions.ts';
import { reportsForAdmins } from './reports/reports.ts';

const present = (user: UserRow, card: CardRow | null | undefined): FoundPerson => ({
  user_id: user._id,
  name: card?.display_name || user.given_name,
  email: user.email,
  joined_at: user.created_at.toISOString(),
});

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

  async function idsByName(search: string): Promise<string[]> {
    const words = nameWords(search);
    if (words.length === 0) return [];
    const rows = await cards(db)
      .find(
        { $and: words.map((word) => ({ name_words: { $elemMatch: prefixRange(word) } })) },
        { projection: { _id: 1 } },
      )
      .limit(PEOPLE_MAX + 1)
      .toArray();
    return rows.map(({ _id }) => _id);
  }

  serve(api, findPeople, async ({ query: { search } }) => {
    const named = await idsByName(search);
    const found = await users(db)
      .find({
        $or: [{ _id: { $in: [search, ...named] } }, { email: prefixRange(search.toLowerCase()) }],
        ...NOT_DELETED,
      })
      .sort({ _id: 1 })
      .limit(PEOPLE_MAX + 1)
      .toArray();
    const shown = found.slice(0, PEOPLE_MAX);
    const ids = { _id: { $in: shown.map(({ _id }) => _id) } };
    const cardOf = new Map((await cards(db).find(ids).toArray()).map((card) => [card._id, card]));
    const people = shown.map((user) => present(user, cardOf.get(user._id)));
    return {
      people: people.toSorted((a, b) => a.name.localeCompare(b.name)),
      has_more: found.length > PEOPLE_MAX,
    };
  });

  serve(api, getPerson, async ({ params: { id }, caller }) => {
    const user = await find(id);
    const newest = { sort: { created_at: -1 } as const, limit: ROWS_MAX };
    const own = { creator_user_id: id, is_public: true };
    const [card, session, warnings, about, by, locations, tips, flagged] = await Promise.all([
      cards(db).findOne({ _id: id }),
      sessions(db).findOne({ user_id: id }, { sort: { last_used_at: -1 } }),
      userWarnings(db).find({ user_id: id }, newest).toArray(),
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
        ...present(user, card),
        email_verified: user.email_verified,
        given_name: user.given_name,
        is_admin: user.is_admin,
        access_expires_at: user.access_expires_at?.toISOString() ?? null,
        last_seen_on: session?.last_used_at.toISOString().slice(0, 10) ?? null,
        restricted_until: user.restricted_until?.toISOString() ?? null,
        suspended_until: user.suspended_until?.toISOString() ?? null,
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
