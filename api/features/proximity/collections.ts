import type { Db } from 'mongodb';
import type { AnswerPhrase } from '#shared/proximity/contract.ts';
import type { Indexes } from '../../platform/database.ts';

/** `positions`: where each user who shares a position is, for as long as it counts. */
export interface PositionRow {
  /** The user's id. */
  _id: string;
  location: { type: 'Point'; coordinates: [longitude: number, latitude: number] };
  /** The cell of the place, by `cellOf`: a node loads the positions in the cells that it follows. */
  cell: string;
  at: Date;
  /** The minute of `at` since 1970. Stale rows are found by it, because an index on `at` would change with every report. */
  minute?: number;
  /** The session of the device that sent it; the position is removed with it. */
  session_id?: string;
  /** The tracker that sent it, and the number that it gave the report. */
  tracker?: string;
  sequence?: number;
  /** It must not trigger encounters. */
  is_ineligible?: true;
  /** The user walks without their name. */
  is_nameless?: true;
  /** The dogs that came along, if not all. */
  dog_ids?: string[];
  /** The user's alert radius, if it is not the usual one. */
  radius_feet?: number;
  /** Reports have stopped, and the owner's devices were notified: see push/silent-walks.ts. */
  is_silent?: true;
}

/** `proximity_events`: which users met, and at what distance; never where. */
export interface ProximityEventRow {
  /** Sorts by time. */
  _id: string;
  sender_user_id: string;
  receiver_user_id: string;
  /** The dogs that came along. Rows of earlier versions lack them. */
  sender_dog_ids?: string[];
  receiver_dog_ids?: string[];
  distance_feet: number;
  /** What they answered by one tap. */
  sender_answer?: AnswerPhrase;
  receiver_answer?: AnswerPhrase;
  /** When. Rows of earlier versions lack it. */
  sender_answer_at?: Date;
  receiver_answer_at?: Date;
  triggered_at: Date;
  /** By `pairWindows`: two rows of one encounter share one, so only one of the nodes that announce it records it. */
  pair_windows: string[];
}

/** `stranger_sightings`: how many strangers one account was shown beyond 100 ft in one hour, on all nodes. */
export interface StrangerSightingsRow {
  /** User and hour, so that each hour begins with an empty row. */
  _id: string;
  user_id: string;
  /** Keyed hashes of the strangers' ids. */
  strangers: string[];
  at: Date;
}

export const positions = (db: Db) => db.collection<PositionRow>('positions');
export const proximityEvents = (db: Db) => db.collection<ProximityEventRow>('proximity_events');
export const strangerSightings = (db: Db) =>
  db.collection<StrangerSightingsRow>('stranger_sightings');

/** `positions` has no index on place or time, because every report would update it; its cell and minute change rarely. */
export const proximityIndexes: Indexes = {
  positions: [{ key: { cell: 1 } }, { key: { minute: 1 } }],
  proximity_events: [
    { key: { pair_windows: 1 }, unique: true },
    { key: { sender_user_id: 1, triggered_at: -1 } },
    { key: { receiver_user_id: 1, triggered_at: -1 } },
    { key: { triggered_at: -1 } },
  ],
  stranger_sightings: [{ key: { user_id: 1 } }, { key: { at: 1 } }],
};
