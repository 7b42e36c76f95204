import type { Db } from 'mongodb';
import type { HazardKind } from '#shared/hazards/rules.ts';
import type { Indexes } from '../../platform/database.ts';

/** `hazards`: hazards and lost dogs that members reported. */
export interface HazardRow {
  _id: string;
  /** Never shown to others. */
  creator_user_id: string;
  kind: HazardKind;
  description: string;
  /** Of a lost dog. */
  dog_name?: string;
  contact?: string;
  /** A photo, which belongs to `photoOwner`. */
  image_key?: string;
  point: { type: 'Point'; coordinates: [longitude: number, latitude: number] };
  /** When it was seen. */
  reported_at: Date;
  expires_at: Date;
  confirmed_user_ids: string[];
  denied_user_ids: string[];
  /** Those of them who were near it when they voted: only their votes count. Unset on rows of older releases. */
  nearby_user_ids?: string[];
  /** Who reported its text. */
  reported_user_ids: string[];
  /** By denials or reports. */
  is_hidden: boolean;
  /** By an admin; unset on rows that no admin changed. */
  is_removed?: boolean;
  /** Restored by an admin: members can’t hide it any more. */
  is_approved?: boolean;
  /** Words for the admin search; unset on rows of older releases. */
  words?: string[];
  /** How often an admin edited it. */
  version?: number;
}

export const hazards = (db: Db) => db.collection<HazardRow>('hazards');

export const hazardIndexes: Indexes = {
  hazards: [
    { key: { point: '2dsphere', expires_at: 1 } },
    { key: { creator_user_id: 1 } },
    { key: { confirmed_user_ids: 1 } },
    { key: { denied_user_ids: 1 } },
    { key: { reported_user_ids: 1 } },
    { key: { nearby_user_ids: 1 } },
    { key: { expires_at: 1 } },
    { key: { reported_at: -1, _id: -1 } },
    { key: { words: 1 } },
    { key: { image_key: 1 }, sparse: true },
  ],
};
