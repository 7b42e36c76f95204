import type { ApiFeature } from '../../platform/services.ts';
import { moderationIndexes } from './collections.ts';
import { moderationPushes } from './pushes.ts';
import { mountModeration } from './routes.ts';

export const moderation: ApiFeature = {
  indexes: moderationIndexes,
  pushes: moderationPushes,
  mount: mountModeration,
};
