import { refuseContent } from '../moderation/content/content.ts';
import type { Caller } from '../session-cache.ts';
import type { Services } from '../services.ts';

/**
 * Applies the word rules to the texts of an ad, by the names that the request has for them.
 * @param id of the ad, where it has one already
 * @returns whether a rule flags them for its review
 * @throws HttpError 400 with the fields when a rule refuses them
 */
export const refuseWords = (
  services: Pick<Services, 'db' | 'ruleBook'>,
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
