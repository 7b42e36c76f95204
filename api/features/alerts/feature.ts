import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import type { ApiFeature, Services } from '../../platform/services.ts';
import { alertIndexes, acknowledgements, emergencyAlerts } from './collections.ts';
import { alertPushes } from './pushes.ts';
import { mountAlerts } from './routes.ts';

/** A user’s acknowledgements. Alerts that an admin issued stay, without the admin’s id. */
const acknowledgementData = ({ db }: Services): PersonalDataHandler => ({
  name: 'alert_acknowledgements',
  async export({ _id }) {
    const rows = await acknowledgements(db).find({ user_id: _id }).toArray();
    return rows.map(({ alert_id, acknowledged_at }) => ({ alert_id, acknowledged_at }));
  },
  async remove({ _id }) {
    await acknowledgements(db).deleteMany({ user_id: _id });
    await emergencyAlerts(db).updateMany({ created_by: _id }, { $set: { created_by: null } });
  },
});

export const alerts: ApiFeature = {
  indexes: alertIndexes,
  personalData: [acknowledgementData],
  pushes: alertPushes,
  mount: mountAlerts,
};
