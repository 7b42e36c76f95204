import type { ClientFeature } from '../../platform/features.ts';

export const alerts: ClientFeature = {
  refusedCalls: {
    'alerts.acknowledge'(_, { refusal }) {
      console.error('Failed to acknowledge alert', refusal);
      return null;
    },
  },
};
