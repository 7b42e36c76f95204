import type { CardRow, MessageRow, UserRow } from '#shared/server/collections.ts';
import type { ThreadRow } from '../../api/features/chat/collections.ts';
import type { SearchInvitationRow } from '../../api/features/invitations/collections.ts';
import type { LocationRow, TipRow, VisitRow } from '../../api/features/locations/collections.ts';
import type { PlannedWalkRow } from '../../api/features/planned-walks/collections.ts';
import type { PairRow } from '../../api/features/relationships/collections.ts';
import type { DocumentRow } from '../../sync-server/core/database.ts';

/** Returns an empty list for each collection that is seeded. */
export const emptyRows = () => ({
  documents: [] as DocumentRow[],
  threads: [] as ThreadRow[],
  messages: [] as MessageRow[],
  pairs: [] as PairRow[],
  cards: [] as CardRow[],
  locations: [] as LocationRow[],
  location_tips: [] as TipRow[],
  location_visits: [] as VisitRow[],
  planned_walks: [] as PlannedWalkRow[],
  search_invitations: [] as SearchInvitationRow[],
  users: [] as UserRow[],
});

export type Rows = ReturnType<typeof emptyRows>;
