import { useCallback } from 'react';
import { REFUSED_TEXTS, type ContentType } from '#shared/moderation/content.ts';
import { useWordFilter } from './use-word-filter.ts';

/**
 * Finds fields with words that the server would refuse, before they are saved: a device without a network would hear of it days
 * later.
 * @returns what is wrong with each of the fields, by name
 */
export function useContentFilter(): (
  type: ContentType,
  fields: Record<string, string | null | undefined>,
) => Record<string, string> {
  const check = useWordFilter();
  return useCallback(
    (type, fields) =>
      Object.fromEntries(
        Object.entries(fields)
          .filter(([, text]) => text && check(text) === 'blocked')
          .map(([field]) => [field, REFUSED_TEXTS[type]]),
      ),
    [check],
  );
}
