import type { Db } from 'mongodb';
import type { Indexes } from '../database.ts';
import type { LocationReportType } from '#shared/locations/contract.ts';
import type { LocationType, TipType } from '#shared/locations/schemas.ts';

/** `location_tips`: what owners say about places. */
export interface TipRow {
  _id: string;
  location_id: string;
  /** Null when its author is gone. */
  creator_user_id: string | null;
  tip_type: TipType;
  title: string;
  content: string;
  /** Who found it helpful, each once. */
  helpful_user_ids: string[];
  /** How many they are. */
  is_helpful_count: number;
  /** Otherwise only its author reads it. */
  is_public: boolean;
  /** Not hidden by an admin. */
  is_active: boolean;
  created_at: Date;
  /** How often an admin edited it. */
  version?: number;
}

/** A tip as its place's row has it. */
export type StoredTip = Omit<TipRow, 'helpful_user_ids' | 'version'>;

/** What is added up on a place's row, so that a search reads nothing else (see sums.ts). */
export interface LocationSums {
  visit_count: number;
  /** Of each person's latest rating. */
  rating_sum: number;
  rating_count: number;
  /** Of the tips that everybody may read. */
  tip_count: number;
  /** The most helpful of them, first. */
  tips: StoredTip[];
  /** On it or on its tips, and not decided yet. */
  open_reports: number;
}

/** `locations`: places to walk. */
export interface LocationRow extends LocationSums {
  _id: string;
  /** Null when nobody's: its creator left, and others use it. */
  creator_user_id: string | null;
  name: string;
  description: string;
  address: string;
  point: { type: 'Point'; coordinates: [longitude: number, latitude: number] };
  location_type: LocationType;
  leash_required: boolean;
  parking_available: boolean;
  water_available: boolean;
  restrooms_available: boolean;
  /** Otherwise only its creator sees it. */
  is_public: boolean;
  /** Not hidden by an admin, nor merged into another. */
  is_active: boolean;
  /** The place that this one turned out to be. */
  merged_into: string | null;
  created_at: Date;
  updated_at: Date;
  /** What admins find it by. */
  words: string[];
  /** How often an admin edited it. */
  version?: number;
  /** Counts what changes the sums: whoever adds up anew sees whether something came in between. */
  changes: number;
  /** Counts the attempts to choose `tips`: the last one wins. */
  tips_turn: number;
  /** Whether the sums were added up anew since they last changed. */
  is_checked: boolean;
  changed_at: Date;
  /** Somebody is about to merge, remove or hide it (see lease.ts). `into`: the place that it is to be merged into. */
  lease?: { id: string; into: string | null; at: Date };
  /** Its creator removed it: all that is of it is being deleted. */
  is_removed?: true;
}

/** `location_claims`: a place that somebody is adding at this moment, under its id (see claims.ts). */
export interface ClaimRow extends Pick<LocationRow, 'name' | 'point' | 'is_public'> {
  _id: string;
  creator_user_id: string;
  at: Date;
}

/** `location_visits`: one person at one place on one day. Unique by the three. */
export interface VisitRow {
  _id: string;
  location_id: string;
  user_id: string;
  /** Such as 2026-11-21, by the world's clock. */
  day: string;
  visit_date: Date;
  rating: number | null;
  notes: string | null;
  latitude: number | null;
  longitude: number | null;
}

/** `location_reports`: one person about one place or tip. */
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
    { key: { user_id: 1 } },
    { key: { visit_date: 1 }, partialFilterExpression: { latitude: { $gte: -90 } } },
  ],
  location_reports: [
    { key: { resolved_at: 1 } },
    { key: { location_id: 1, status: 1 } },
    { key: { subject_id: 1 } },
    { key: { reporter_user_id: 1 } },
  ],
};
