import type { ApiFeature } from '../../platform/services.ts';
import { moderationIndexes } from './collections.ts';
import { moderationData } from './personal-data.ts';
import { moderationPushes } from './pushes.ts';
import { mountModeration } from './routes.ts';

export const moderation: ApiFeature = {
  indexes: moderationIndexes,
  personalData: [moderationData],
  pushes: moderationPushes,
  mount: mountModeration,
};
