import type { ApiFeature } from '../../platform/services.ts';
import { moderationIndexes } from './collections.ts';
import { mountModeration } from './routes.ts';

export const moderation: ApiFeature = {
  indexes: moderationIndexes,
  mount: mountModeration,
};
