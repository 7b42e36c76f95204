import type { ApiFeature } from '../../platform/services.ts';
import { alertIndexes } from './collections.ts';
import { mountAlerts } from './routes.ts';

export const alerts: ApiFeature = {
  indexes: alertIndexes,
  mount: mountAlerts,
};
