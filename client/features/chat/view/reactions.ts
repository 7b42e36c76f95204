import type { Reaction } from '#shared/chat/rules.ts';

/** Each reaction with its symbol and its name for screen readers. */
export const REACTIONS: readonly { reaction: Reaction; symbol: string; name: string }[] = [
  { reaction: 'like', symbol: '👍', name: 'Like' },
  { reaction: 'love', symbol: '❤️', name: 'Love' },
  { reaction: 'laugh', symbol: '😂', name: 'Laugh' },
  { reaction: 'wow', symbol: '😮', name: 'Wow' },
  { reaction: 'sad', symbol: '😢', name: 'Sad' },
  { reaction: 'paw', symbol: '🐾', name: 'Paw' },
];

export const reactionOf = (wanted: Reaction) =>
  REACTIONS.find(({ reaction }) => reaction === wanted);
