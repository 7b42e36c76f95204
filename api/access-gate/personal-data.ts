import type { Holding } from '../personal-data.ts';
import type { Services } from '../services.ts';

/** Uses of codes: that one was used stays, who used it goes. */
export const heldAccess = ({ database }: Services): Holding => ({
  name: 'access',
  async export({ _id, access_expires_at }) {
    const uses = await database.accessCodeUses.find({ user_id: _id }).toArray();
    return {
      access_expires_at,
      uses: uses.map(({ ip_address, used_at }) => ({ ip_address, used_at })),
    };
  },
  async remove({ _id }) {
    await database.accessGrants.deleteMany({ user_id: _id });
    await database.accessCodes.updateMany(
      { 'reservations.claimant': _id },
      { $set: { 'reservations.$[mine].claimant': '' } },
      { arrayFilters: [{ 'mine.claimant': _id }] },
    );
    await database.accessCodeUses.updateMany(
      { user_id: _id },
      { $set: { user_id: null, ip_address: '' } },
    );
  },
});
