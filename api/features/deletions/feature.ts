import type { ApiFeature } from '../../platform/services.ts';
import { deletionIndexes } from './collections.ts';
import { mountDeletions } from './deletions.ts';

export const deletions: ApiFeature = {
  indexes: deletionIndexes,
  mount: mountDeletions,
};
