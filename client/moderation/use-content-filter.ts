import { useCallback } from 'react';
import { REFUSED_TEXTS, type ContentType } from '#shared/moderation/content.ts';
import { useWordFilter } from './use-word-filter.ts';

/**
 * Returns a check for words that the server would reject. It runs before saving, because an offline device would learn of the
 * rejection only days later. The check returns a message for each invalid field.
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
