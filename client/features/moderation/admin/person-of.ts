import type { AdminWarning } from '#shared/moderation/admin-contract.ts';

/** The name of the sanctioned person, for moderators. */
export const personOf = ({ user, is_anonymous }: AdminWarning): string =>
  is_anonymous ? 'Author of a hazard' : (user.name ?? 'Deleted account');
