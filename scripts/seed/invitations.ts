import { INVITATION_CODE_ALPHABET, INVITATION_CODE_LENGTH } from '#shared/invitations/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import type { SearchInvitationRow } from '../../api/features/invitations/collections.ts';
import { type Street } from './user-cluster.ts';

/** The number of people per street who have invited someone. */
const INVITERS = 2;
const DAYS_VALID = 7;
const CODE_CHARACTERS = Array.from(INVITATION_CODE_ALPHABET);
/** Older invitations would be deleted. */
const DAYS_AGO_MAX = 10;

/** The invitations of a street's people. Some are used, some have expired. No emails are sent. */
export function invitationsOf(street: Street): SearchInvitationRow[] {
  const random = street.random('invitations');
  return street.people.slice(0, INVITERS).map(({ id }, i) => {
    const created_at = new Date(street.now.getTime() - random.uniform() * DAYS_AGO_MAX * DAY_MS);
    const guest = street.people[INVITERS + i];
    const isUsed = random.chance(0.4) && guest !== undefined;
    return {
      _id: street.id(`invitation ${i}`),
      inviter_user_id: id,
      invited_email: guest?.email ?? null,
      code: Array.from({ length: INVITATION_CODE_LENGTH }, () => random.pick(CODE_CHARACTERS)).join(
        '',
      ),
      used_at: isUsed ? created_at : null,
      used_by_user_id: isUsed ? guest.id : null,
      expires_at: new Date(created_at.getTime() + DAYS_VALID * DAY_MS),
      created_at,
      is_projected: true,
    };
  });
}
