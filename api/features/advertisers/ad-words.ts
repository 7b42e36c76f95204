import type { Services } from '../../platform/services.ts';
import type { Caller } from '../../platform/session-cache.ts';
import { refuseContent } from '../content-rules/refuse-content.ts';

/**
 * Applies the moderation rules to the texts of an ad, by field name.
 * @param id of the ad; null for a new one
 * @returns whether a rule flags them for the review
 * @throws HttpError 400 with the fields when a rule blocks them
 */
export const refuseWords = (
  services: Pick<Services, 'db' | 'env' | 'ruleBook'>,
  visitor: Caller | null,
  id: string | null,
  fields: Record<string, string | null>,
): Promise<boolean> =>
  refuseContent(services, {
    user_id: visitor?.user._id ?? null,
    content_type: 'advertisement',
    content_id: id,
    fields,
  });
