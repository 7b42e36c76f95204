import type { ApiFeature } from '../../platform/services.ts';
import { contentRulesIndexes } from './collections.ts';

/** The rules for texts that others see, and the log of what they found. Moderation, built on the other features, edits both. */
export const contentRules: ApiFeature = {
  indexes: contentRulesIndexes,
};
