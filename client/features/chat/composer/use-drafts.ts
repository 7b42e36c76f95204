import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { toast } from 'sonner';
import { readDrafts } from '#shared/chat/drafts.ts';
import { DRAFT_MAX } from '#shared/chat/rules.ts';
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

/** Returns the text that was not sent to a friend, from any device of the user. Sends it when the user leaves the screen or the app. */
export function useDraft(friendUserId: string) {
  const documents = useDocuments();
  const drafts = documents && draftsOf(documents);
  const { text = '', copy = null } = useDrafts()[friendUserId] ?? {};
  useEffect(() => {
    const leave = () => drafts?.send();
    document.addEventListener('visibilitychange', leave);
    window.addEventListener('pagehide', leave);
    return () => {
      document.removeEventListener('visibilitychange', leave);
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [drafts]);
  return {
    text,
    copy,
    write: (words: string) => {
      if (words.length > DRAFT_MAX)
        toast(`That’s too long. We can only hold on to the first ${DRAFT_MAX} characters.`);
      drafts?.write(friendUserId, words);
    },
    /** Keeps one of the text and its copy. */
    choose: (words: string) => {
      drafts?.write(friendUserId, words, true);
      drafts?.send();
    },
    clear: () => {
      drafts?.write(friendUserId, '');
      drafts?.send();
    },
  };
}
