import { memberPathOf } from '#shared/invitations/link.ts';
import { rememberWanted } from '../../features/access-gate/wanted-path.ts';
import { findGatePath } from '../../features/referrals/referrer.ts';

/**
 * Follows an invitation's link for a visitor; remembers where it leads members for the sign-in.
 * @returns the path of the gate, if the invitation lets new people in
 */
export function followInvitation(search: string): Promise<string | null> {
  const memberPath = memberPathOf(search);
  // Before the answer: they may leave for the sign-in at once.
  if (memberPath) rememberWanted(memberPath);
  return findGatePath(search);
}
