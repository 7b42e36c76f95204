import { MessagesSquare } from 'lucide-react';
import { Typing } from './typing-indicator.tsx';

/** In the place of messages while there are none. */
export function EmptyThread({ name, isTyping }: { name: string; isTyping: boolean }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-3 overflow-y-auto p-6 text-center text-soft">
      <MessagesSquare aria-hidden className="size-10" />
      <p className="max-w-xs">No messages yet. Plan your next walk with {name}.</p>
      <Typing name={name} isTyping={isTyping} />
    </div>
  );
}
