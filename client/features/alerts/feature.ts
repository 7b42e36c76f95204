import type { ClientFeature } from '../../platform/features.ts';
import { SevereAlerts } from './severe-alerts.tsx';

export const alerts: ClientFeature = {
  refusedCalls: {
    'alerts.acknowledge'(_, { refusal }) {
      console.error('Failed to acknowledge alert', refusal);
      return null;
    },
  },
  banners: [SevereAlerts],
};
