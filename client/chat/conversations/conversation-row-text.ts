import type { ShownConversation } from '../types.ts';

/** The words of a row in the list of conversations, by the `data-word` of their place. */
export type ConversationWords = Record<'initial' | 'name' | 'time' | 'before' | 'preview', string>;

/** What stands for a friend where there is no picture. */
export const initialOf = (name: string): string => Array.from(name)[0]?.toUpperCase() ?? '';

/**
 * What a row in the list of conversations says, apart from how many messages wait.
 * @param time when the last message was written, in words
 * @param draft the beginning of what was not sent yet, where the row is to say so
 */
export function conversationWords(
  { name, isOwn, preview }: ShownConversation,
  time: string,
  draft?: string,
): ConversationWords {
  return {
    initial: initialOf(name),
    name,
    time,
    before: draft ? 'Draft: ' : isOwn ? 'You: ' : '',
    preview: draft || preview,
  };
}
