import { useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { Highlighted } from './highlighted.tsx';
import { SearchBox } from './search-box.tsx';
import { SearchStatus } from './search-status.tsx';
import { stampWords } from '../view/format-time.ts';
import { useMessageSearch } from './use-message-search.ts';

/** Looks for words in a thread. */
export function ThreadSearch({
  friendUserId,
  name,
  onFound,
  onLeave,
}: {
  friendUserId: string;
  /** The friend's. */
  name: string;
  onFound: (messageId: string) => void;
  onLeave: () => void;
}) {
  const box = useRef<HTMLInputElement>(null);
  // Left, the focus goes back to what opened it.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    box.current?.focus();
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  const [term, setTerm] = useState('');
  const wanted = term.trim();
  const search = useMessageSearch(useDeferredValue(wanted), friendUserId);
  return (
    <search className="flex max-h-[60%] flex-col gap-2 border-b border-line p-3">
      <SearchBox
        ref={box}
        label="Search this chat"
        value={term}
        onChange={setTerm}
        onLeave={onLeave}
      />
      <SearchStatus search={wanted === '' ? null : search} />
      <ul className="overflow-y-auto overscroll-contain empty:hidden">
        {search.found.map(({ message }) => (
          <li key={message.id}>
            <button
              type="button"
              onClick={() => onFound(message.id)}
              className="flex min-h-11 w-full flex-col rounded-control px-3 py-2 text-left hover:bg-sunken"
            >
              <span className="text-sm text-soft">
                {message.isOwn ? 'You' : name} · {stampWords(message.at)}
              </span>
              <span className="line-clamp-2 break-words">
                <Highlighted text={message.text} term={wanted} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </search>
  );
}
