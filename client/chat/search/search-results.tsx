import { useDeferredValue } from 'react';
import { Link } from 'react-router-dom';
import { chatPath } from '../chat-path.ts';
import { Highlighted } from './highlighted.tsx';
import { SearchStatus } from './search-status.tsx';
import { briefWords } from '../view/format-time.ts';
import { useMessageSearch } from './use-message-search.ts';

/** Messages of all threads in which something was said. */
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
