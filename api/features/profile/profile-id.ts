import type { UserRow } from '#shared/server/collections.ts';

/** The id of a user’s profile: that of their first card, also when another document has replaced it. */
export const profileId = ({ documents, profile_id }: UserRow): string =>
  profile_id ?? documents.card;
