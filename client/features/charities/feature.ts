import type { ClientFeature } from '../../platform/features.ts';
import { writeDraft } from './application-draft.ts';

export const charities: ClientFeature = {
  refusedCalls: {
    'charities.donate'(_, { refusal }) {
      console.error('Failed to record donation', refusal);
      return null;
    },
  },
  // Forms of visitors are not stored by user.
  forget: () => writeDraft(null),
};
