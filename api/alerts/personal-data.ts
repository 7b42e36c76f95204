import type { Database } from '../database.ts';
import type { Holding } from '../personal-data.ts';

/** Which alerts somebody has acknowledged; what an admin issued stays, without who did. */
export const heldAcknowledgements = ({ acknowledgements, emergencyAlerts }: Database): Holding => ({
  name: 'alert_acknowledgements',
  async export({ _id }) {
    const rows = await acknowledgements.find({ user_id: _id }).toArray();
    return rows.map(({ alert_id, acknowledged_at }) => ({ alert_id, acknowledged_at }));
  },
  async remove({ _id }) {
    await acknowledgements.deleteMany({ user_id: _id });
    await emergencyAlerts.updateMany({ created_by: _id }, { $set: { created_by: null } });
  },
});
