import type { AdminWarning } from '#shared/moderation/admin-contract.ts';

/** The name of the sanctioned person, for moderators. */
export const personOf = ({ user, is_anonymous }: AdminWarning): string =>
  is_anonymous ? 'Author of a hazard' : (user.name ?? 'Deleted account');

/** Who decided on a sanction, for moderators. */
export const decidedBy = ({
  admin_user_id,
  admin_name,
}: Pick<AdminWarning, 'admin_user_id' | 'admin_name'>): string =>
  admin_user_id === null ? 'The rules' : (admin_name ?? 'Deleted account');
