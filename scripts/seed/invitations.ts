import { INVITATION_CODE_ALPHABET, INVITATION_CODE_LENGTH } from '#shared/invitations/rules.ts';
import type { Rows } from './rows.ts';
import { DAY_MS, type Street } from './user-cluster.ts';

/** So many of a street have invited somebody, who may search for members then. */
const INVITERS = 2;
const DAYS_VALID = 7;
const LETTERS = Array.from(INVITATION_CODE_ALPHABET);
/** What is long over is swept away. */
const DAYS_AGO_MAX = 10;

/** Adds invitations of a street's people: some are used, some are over. No letter went out. */
export function addInvitations(street: Street, rows: Rows): void {
  const chance = street.choices('invitations');
  for (const [i, { id }] of street.people.slice(0, INVITERS).entries()) {
    const created_at = new Date(street.now.getTime() - chance.uniform() * DAYS_AGO_MAX * DAY_MS);
    const guest = street.people[INVITERS + i];
    const isUsed = chance.chance(0.4) && guest !== undefined;
    rows.search_invitations.push({
      _id: street.id(`invitation ${i}`),
      inviter_user_id: id,
      invited_email: guest?.email ?? null,
      code: Array.from({ length: INVITATION_CODE_LENGTH }, () => chance.pick(LETTERS)).join(''),
      used_at: isUsed ? created_at : null,
      used_by_user_id: isUsed ? guest.id : null,
      expires_at: new Date(created_at.getTime() + DAYS_VALID * DAY_MS),
      created_at,
    });
  }
}
