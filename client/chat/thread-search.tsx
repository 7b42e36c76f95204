import { useState } from 'react';
import { Highlighted } from './highlighted.tsx';
import { SearchBox } from './search-box.tsx';
import type { ShownMessage } from './shown.ts';
import { stampWords } from './times.ts';

/** Looks for words in a thread, as far as it is on this device. */
export function ThreadSearch({
  name,
  search,
  onFound,
  onLeave,
}: {
  /** Of the other. */
  name: string;
  search: (term: string) => readonly ShownMessage[];
  onFound: (message: ShownMessage) => void;
  onLeave: () => void;
}) {
  const [term, setTerm] = useState('');
  const wanted = term.trim();
  const found = wanted === '' ? [] : search(wanted);
  return (
    <search className="flex max-h-[60%] flex-col gap-2 border-b border-line p-3">
      <SearchBox
        label="Search this chat"
        value={term}
        onChange={setTerm}
        onLeave={onLeave}
        autoFocus
      />
      <p role="status" className="text-sm text-soft empty:hidden">
        {wanted !== '' &&
          (found.length === 0
            ? 'Nothing found on this device.'
            : `${found.length} ${found.length === 1 ? 'message' : 'messages'} found`)}
      </p>
      <ul className="overflow-y-auto overscroll-contain empty:hidden">
        {found.map((message) => (
          <li key={message.id}>
            <button
              type="button"
              onClick={() => onFound(message)}
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
