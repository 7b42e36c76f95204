import type { Db } from 'mongodb';
import type { Place } from '#shared/place.ts';
import type { WalkAnswer } from '#shared/planned-walks/contract.ts';
import type { Indexes } from '../../platform/database.ts';

export interface ParticipantEntry {
  user_id: string;
  answer: WalkAnswer | null;
  /** When it was given, by the device. */
  answered_at: Date | null;
}

/** `planned_walks`: walks that members plan with friends. */
export interface PlannedWalkRow {
  /** Made by the organizer's device. */
  _id: string;
  organizer_user_id: string;
  starts_at: Date;
  place_name: string;
  /** A public place. */
  location_id: string | null;
  place: Place | null;
  note: string;
  /** In the order in which they were chosen. Who may see the walk is decided at each reading, see store.ts. */
  participants: ParticipantEntry[];
  canceled_at: Date | null;
  created_at: Date;
  changed_at: Date;
  /** When the reminders are due; unset once they were sent, and if there are none. */
  remind_at?: Date;
}

export const plannedWalks = (db: Db) => db.collection<PlannedWalkRow>('planned_walks');

export const plannedWalkIndexes: Indexes = {
  planned_walks: [
    { key: { organizer_user_id: 1, starts_at: 1 } },
    { key: { 'participants.user_id': 1, starts_at: 1 } },
    { key: { remind_at: 1 }, sparse: true },
    { key: { starts_at: 1 } },
  ],
};
