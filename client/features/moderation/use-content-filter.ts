import { useCallback } from 'react';
import { REFUSED_TEXTS, type ContentType } from '#shared/moderation/content.ts';
import { isReservedName, RESERVED_NAME } from '#shared/profile/reserved-names.ts';
import { PRODUCT } from '../../platform/product.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { useWordFilter } from './use-word-filter.ts';

/**
 * Returns a check for words and names that the server would reject. It runs before saving, because an offline device would learn of the
 * rejection only days later. The check returns a message for each invalid field.
 */
export function useContentFilter(): (
  type: ContentType,
  fields: Record<string, string | null | undefined>,
) => Record<string, string> {
  const check = useWordFilter();
  const isAdmin = useUser()?.is_admin ?? false;
  return useCallback(
    (type, fields) => {
      const isReserved = (text: string) =>
        type === 'display_name' && !isAdmin && isReservedName(text, PRODUCT);
      const refusalOf = (text: string) => {
        if (isReserved(text)) return RESERVED_NAME;
        return check(text) === 'blocked' ? REFUSED_TEXTS[type] : null;
      };
      return Object.fromEntries(
        Object.entries(fields).flatMap(([field, text]) => {
          const refusal = text ? refusalOf(text) : null;
          return refusal ? [[field, refusal]] : [];
        }),
      );
    },
    [check, isAdmin],
  );
}
