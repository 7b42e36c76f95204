import { Search } from 'lucide-react';
import { useDeferredValue, useLayoutEffect, useRef, useState, useId, type Ref } from 'react';
import { Link } from 'react-router-dom';
import { chatPath } from '../../friends/chat-path.ts';
import { LookalikeNote } from '../../friends/lookalike-note.tsx';
import { stampWords, briefWords } from '../view/format-time.ts';
import { normalizeQuery, placeOf } from './text-match.ts';
import { useMessageSearch, type MessageSearch } from './use-message-search.ts';

/** The search within a thread. */
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
  // Returns the focus to the opener on closing.
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

/** The input of a search. */
export function SearchBox({
  label,
  value,
  onChange,
  onLeave,
  ref,
}: {
  label: string;
  value: string;
  onChange: (term: string) => void;
  /** Esc in it. */
  onLeave: () => void;
  ref?: Ref<HTMLInputElement>;
}) {
  const id = useId();
  return (
    <div className="relative">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search aria-hidden className="absolute top-3.5 left-3.5 size-5 text-soft" />
      <input
        ref={ref}
        id={id}
        type="search"
        value={value}
        placeholder={label}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onLeave()}
        className="min-h-12 w-full rounded-control border border-line-strong bg-surface py-2 pr-3 pl-11 text-ink placeholder:text-soft"
      />
    </div>
  );
}

/** Describes the state of a search. */
function wordsOf({ found: { length }, hasMore, share, isIncomplete }: MessageSearch): string {
  const count = `${length} ${length === 1 ? 'message' : 'messages'} found`;
  if (share < 1) return length === 0 ? 'Searching older messages…' : `${count}, still searching…`;
  if (hasMore) return `The newest ${length} messages`;
  const sum = length === 0 ? 'No messages found' : count;
  return isIncomplete ? `${sum}. Go online to search older messages.` : sum;
}

/** The progress of a search; null shows nothing. */
function SearchStatus({ search }: { search: MessageSearch | null }) {
  return (
    <>
      <p role="status" className="text-sm text-soft empty:hidden">
        {search && wordsOf(search)}
      </p>
      {search && search.share < 1 && (
        <progress
          aria-label="Search progress"
          value={search.share}
          className="h-1 w-full appearance-none overflow-hidden rounded-full bg-sunken accent-accent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
        />
      )}
    </>
  );
}

/** Text with the first match of a term marked. */
function Highlighted({ text, term }: { text: string; term: string }) {
  const words = normalizeQuery(term);
  const place = words === '' ? null : placeOf(text, words);
  if (!place) return text;
  return (
    <>
      {text.slice(0, place.start)}
      <mark className="rounded-sm bg-accent-soft text-ink">
        {text.slice(place.start, place.end)}
      </mark>
      {text.slice(place.end)}
    </>
  );
}

/** Search results from all threads. */
export function FoundMessages({ term }: { term: string }) {
  const search = useMessageSearch(useDeferredValue(term), null);
  return (
    <section aria-label="Messages found" className="flex flex-col gap-1">
      <SearchStatus search={search} />
      <ul className="divide-y divide-line empty:hidden">
        {search.found.map(({ friend_user_id, name, message }) => (
          <li key={message.id}>
            <Link
              to={`${chatPath(friend_user_id)}?at=${message.id}`}
              className="-mx-2 flex min-h-11 flex-col rounded-control px-2 py-2 hover:bg-sunken"
            >
              <span className="text-sm text-soft">
                {message.isOwn ? `You to ${name}` : name} · {briefWords(message.at)}
              </span>
              <LookalikeNote userId={friend_user_id} name={name} />
              <span className="line-clamp-2 break-words">
                <Highlighted text={message.text} term={term} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
