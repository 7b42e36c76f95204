import type { ApiFeature } from '../../platform/services.ts';
import { alertIndexes } from './collections.ts';
import { alertPushes } from './pushes.ts';
import { mountAlerts } from './routes.ts';

export const alerts: ApiFeature = {
  indexes: alertIndexes,
  pushes: alertPushes,
  mount: mountAlerts,
};
