import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { readDrafts } from '#shared/chat/drafts.ts';
import { useLeadingTab } from '../../../platform/events/leading-tab-provider.tsx';
import { useDocument, useDocuments } from '../../../platform/sync/documents/use-document.ts';
import { draftsOf } from './draft-store.ts';

const nothing = () => () => {};
const NONE = {};

/** The text that a user has not sent to a friend. */
export interface ShownDraft {
  text: string;
  /** What another device had written that had not seen the text; null if nothing. */
  copy: string | null;
}

/** Returns the drafts by friend. */
export function useDrafts(): Readonly<Record<string, ShownDraft>> {
  const documents = useDocuments();
  const tab = useLeadingTab();
  const drafts = documents && draftsOf(documents);
  const { doc } = useDocument('account');
  const all = useSyncExternalStore(
    drafts?.subscribe ?? nothing,
    drafts?.getAll ?? (() => NONE),
  ) as Readonly<Record<string, ShownDraft>>;
  useEffect(
    () =>
      tab.onEvent((event) => {
        if (event.type === 'drafts') drafts?.refetch();
      }),
    [tab, drafts],
  );
  return useMemo(() => {
    const former = Object.entries(readDrafts(doc)).map(([id, text]) => [id, { text, copy: null }]);
    return { ...Object.fromEntries(former), ...all };
  }, [doc, all]);
}
