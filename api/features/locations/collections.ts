import type { Db } from 'mongodb';
import type { LocationReportType } from '#shared/locations/contract.ts';
import type { LocationType, TipType } from '#shared/locations/schemas.ts';
import type { Indexes } from '../../platform/database.ts';

/** `location_tips`: tips about places. */
export interface TipRow {
  _id: string;
  location_id: string;
  /** Null when its author’s account is deleted. */
  creator_user_id: string | null;
  tip_type: TipType;
  title: string;
  content: string;
  /** Users who found it helpful. */
  helpful_user_ids: string[];
  /** Their number. */
  is_helpful_count: number;
  /** A private tip is visible only to its author. */
  is_public: boolean;
  /** Not hidden by an admin. */
  is_active: boolean;
  created_at: Date;
  /** How often an admin edited it. */
  version?: number;
}

/** A tip as stored in its place’s row. */
export type StoredTip = Omit<TipRow, 'helpful_user_ids' | 'version'>;

/** Totals in a place’s row, so that a search reads nothing else (see location-stats.ts). */
export interface LocationStats {
  visit_count: number;
  /** Totals of each person’s latest rating. */
  rating_sum: number;
  rating_count: number;
  /** Of public tips. */
  tip_count: number;
  /** The most helpful of them, first. */
  tips: StoredTip[];
  /** Open reports about it and its tips. */
  open_reports: number;
}

/** What is said of a place, by its creator or by OpenStreetMap. */
export interface PlaceFacts {
  name: string;
  description: string;
  address: string;
  point: { type: 'Point'; coordinates: [longitude: number, latitude: number] };
  location_type: LocationType;
  leash_required: boolean;
  parking_available: boolean;
  water_available: boolean;
  restrooms_available: boolean;
  off_leash?: boolean;
  fenced?: boolean;
  lit?: boolean;
  /** Words for the search. */
  words: string[];
}

/** Where something imported comes from. Decision 170. */
export interface Imported {
  /** Such as `way/123`. */
  id: string;
  region: string;
  /** The time of the import that saw it last, ISO. */
  run: string;
  /** Of its facts, to leave unchanged ones alone. */
  hash: string;
}

/** `locations`: places to walk. */
export interface LocationRow extends LocationStats, PlaceFacts {
  _id: string;
  /** Null when its creator deleted it or their account, and others use it. */
  creator_user_id: string | null;
  opening_hours?: string | null;
  /** In a place from OpenStreetMap: what it says there. The facts of the row are these, with the correction. */
  imported?: Imported & { facts: PlaceFacts & { opening_hours: string | null } };
  /** What a member said otherwise about an imported place; it survives imports. */
  correction?: { facts: Partial<PlaceFacts>; user_id: string | null; at: Date };
  /** A private place is visible only to its creator. */
  is_public: boolean;
  /** Not hidden by an admin, nor merged into another. */
  is_active: boolean;
  /** The place that it was merged into. */
  merged_into: string | null;
  created_at: Date;
  updated_at: Date;
  /** How often an admin edited it. */
  version?: number;
  /** Counts changes of the totals, to detect changes during a recount. */
  changes: number;
  /** Counts updates of `tips`: the last one wins. */
  tips_turn: number;
  /** Whether the totals were recounted since they last changed. */
  is_checked: boolean;
  changed_at: Date;
  /**
   * A merge, removal, or change to private is in progress (see lease.ts). `into`: the target of a merge. `expires_at`: by the clock of
   * the database.
   */
  lease?: { id: string; into: string | null; expires_at: Date };
  /** It was removed; its data is being deleted. */
  is_removed?: true;
}

/** `location_claims`: a place that is being added, under its id (see claims.ts). */
export interface ClaimRow extends Pick<LocationRow, 'name' | 'point' | 'is_public'> {
  _id: string;
  creator_user_id: string;
  at: Date;
}

/** `location_visits`: visits and ratings, one row per user, place, and day. Unique. */
export interface VisitRow {
  _id: string;
  location_id: string;
  user_id: string;
  /** Such as 2026-11-21, in UTC. */
  day: string;
  visit_date: Date;
  rating: number | null;
  notes: string | null;
  latitude: number | null;
  longitude: number | null;
  /** Only rated on that day: it is not counted or listed as a visit. */
  is_rating_only?: true;
}

/** `location_photos`: photos of places. The image belongs to the person who added it. */
export interface LocationPhotoRow {
  _id: string;
  location_id: string;
  creator_user_id: string;
  image_key: string;
  created_at: Date;
}

/** `location_reports`: one per user and place or tip. */
export interface LocationReportRow {
  /** `<location or tip id> <user id>`. */
  _id: string;
  kind: 'location' | 'tip';
  subject_id: string;
  location_id: string;
  reporter_user_id: string;
  report_type: LocationReportType;
  description: string | null;
  status: 'pending' | 'resolved' | 'dismissed';
  created_at: Date;
  resolved_at: Date | null;
}

export const locations = (db: Db) => db.collection<LocationRow>('locations');
export const locationClaims = (db: Db) => db.collection<ClaimRow>('location_claims');
export const locationTips = (db: Db) => db.collection<TipRow>('location_tips');
export const locationVisits = (db: Db) => db.collection<VisitRow>('location_visits');
export const locationPhotos = (db: Db) => db.collection<LocationPhotoRow>('location_photos');
export const locationReports = (db: Db) => db.collection<LocationReportRow>('location_reports');

export const locationIndexes: Indexes = {
  locations: [
    { key: { point: '2dsphere', location_type: 1 } },
    { key: { creator_user_id: 1 } },
    { key: { is_public: 1, created_at: -1, _id: -1 } },
    { key: { is_public: 1, open_reports: -1, _id: -1 } },
    { key: { is_public: 1, is_active: 1, created_at: -1, _id: -1 } },
    {
      name: 'reported',
      key: { is_public: 1, created_at: -1, _id: -1 },
      partialFilterExpression: { open_reports: { $gt: 0 } },
    },
    { key: { merged_into: 1 }, partialFilterExpression: { merged_into: { $type: 'string' } } },
    { key: { words: 1 } },
    { key: { 'lease.into': 1 }, sparse: true },
    { key: { 'imported.region': 1, 'imported.run': 1 }, sparse: true },
    { key: { 'correction.user_id': 1 }, sparse: true },
    {
      key: { is_checked: 1, changed_at: 1 },
      partialFilterExpression: { is_checked: false },
    },
  ],
  location_claims: [{ key: { at: 1 } }],
  location_tips: [
    { key: { location_id: 1, is_public: 1, is_active: 1, is_helpful_count: -1, created_at: -1 } },
    { key: { creator_user_id: 1 } },
    { key: { helpful_user_ids: 1 } },
  ],
  location_visits: [
    { key: { location_id: 1, user_id: 1, day: 1 }, unique: true },
    { key: { user_id: 1, visit_date: -1 } },
    { key: { visit_date: 1 }, partialFilterExpression: { latitude: { $gte: -90 } } },
  ],
  location_photos: [
    { key: { location_id: 1, created_at: -1 } },
    { key: { creator_user_id: 1 } },
    { key: { image_key: 1 } },
  ],
  location_reports: [
    { key: { resolved_at: 1 } },
    { key: { status: 1, created_at: 1 } },
    { key: { location_id: 1, status: 1 } },
    { key: { subject_id: 1 } },
    { key: { reporter_user_id: 1 } },
  ],
};
