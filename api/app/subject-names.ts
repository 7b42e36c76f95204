import type { Collection, Db, Document } from 'mongodb';
import { accessCodes } from '../features/access-gate/collections.ts';
import {
  advertisementBookings,
  advertisements,
  businessListings,
} from '../features/ads/collections.ts';
import { advertisers } from '../features/advertisers/collections.ts';
import { emergencyAlerts } from '../features/alerts/collections.ts';
import { charities } from '../features/charities/collections.ts';
import { moderationRules } from '../features/content-rules/collections.ts';
import { locations } from '../features/locations/collections.ts';
import {
  guidelines,
  messageReports,
  NAMED as ABOUT_SOMEBODY,
  userWarnings,
} from '../features/moderation/collections.ts';
import { namesOf } from '../features/profile/names.ts';
import { savedRows } from '../platform/admin/collections.ts';
import type { SubjectNames } from '../platform/admin/routes.ts';

type Rows = Pick<Collection, 'find'>;

interface Source {
  rows: (db: Db) => unknown;
  field: string;
  /** Matches those that admins know. */
  only?: Document;
}

/** The field with the name of each kind of subject. */
const NAMED: Record<string, Source> = {
  'access-code': { rows: accessCodes, field: 'code' },
  advertisement: { rows: advertisements, field: 'title' },
  'advertiser-ad': { rows: advertisementBookings, field: 'title' },
  'business-listing': { rows: businessListings, field: 'business_name' },
  advertiser: { rows: advertisers, field: 'company_name' },
  charity: { rows: charities, field: 'charity_name' },
  'emergency-alert': { rows: emergencyAlerts, field: 'title' },
  guideline: { rows: guidelines, field: 'title' },
  location: { rows: locations, field: 'name' },
  rule: { rows: moderationRules, field: 'rule_name' },
  template: { rows: savedRows, field: 'name' },
};

/** The field with the person whom each kind of subject is about. */
const ABOUT: Record<string, Source> = {
  report: { rows: messageReports, field: 'reported_user_id' },
  warning: { rows: userWarnings, field: 'user_id', only: ABOUT_SOMEBODY },
};

/** Names the subjects of admin actions as admins know them, at most two queries for each kind. */
export const namesOfSubjects: SubjectNames = async (db, subjects) => {
  const byKind = new Map<string, string[]>();
  for (const { subject_kind, subject_id } of subjects)
    byKind.set(subject_kind, [...(byKind.get(subject_kind) ?? []), subject_id]);
  const names = new Map<string, string>();
  const people = new Map<string, string>();
  for (const [kind, some] of byKind) {
    const ids = [...new Set(some)];
    if (kind === 'person') for (const id of ids) people.set(`${kind} ${id}`, id);
    const from = NAMED[kind] ?? ABOUT[kind];
    if (!from) continue;
    const among = [...ids, ...ids.map(Number).filter(Number.isSafeInteger)];
    const found = await (from.rows(db) as Rows)
      .find({ _id: { $in: among }, ...from.only } as Document, { projection: { [from.field]: 1 } })
      .toArray();
    for (const row of found) {
      const value: unknown = row[from.field];
      if (typeof value !== 'string') continue;
      (NAMED[kind] ? names : people).set(`${kind} ${String(row['_id'])}`, value);
    }
  }
  const known = await namesOf(db, [...new Set(people.values())], { isForModerators: true });
  for (const [subject, id] of people) {
    const name = known.get(id);
    if (name) names.set(subject, name);
  }
  return names;
};
