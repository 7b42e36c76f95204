import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import type { Services } from '../../platform/services.ts';
import { accessCodeUses, accessGrants, accessCodes } from './collections.ts';

/** The user’s uses of codes; they stay without the user. */
export const accessData = ({ db }: Services): PersonalDataHandler => ({
  name: 'access',
  async export({ _id, access_expires_at }) {
    const uses = await accessCodeUses(db).find({ user_id: _id }).toArray();
    return {
      access_expires_at,
      uses: uses.map(({ ip_address, used_at }) => ({ ip_address, used_at })),
    };
  },
  async remove({ _id }) {
    await accessGrants(db).deleteMany({ user_id: _id });
    await accessCodes(db).updateMany(
      { 'reservations.claimant': _id },
      { $set: { 'reservations.$[mine].claimant': '' } },
      { arrayFilters: [{ 'mine.claimant': _id }] },
    );
    await accessCodeUses(db).updateMany(
      { user_id: _id },
      { $set: { user_id: null, ip_address: '' } },
    );
  },
});
