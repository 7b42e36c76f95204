import type { MessageSearch } from './use-message-search.ts';

/** What a search says of itself. */
function wordsOf({ found: { length }, hasMore, share, isIncomplete }: MessageSearch): string {
  const count = `${length} ${length === 1 ? 'message' : 'messages'} found`;
  if (share < 1) return length === 0 ? 'Searching older messages…' : `${count}, still searching…`;
  if (hasMore) return `The newest ${length} messages`;
  const sum = length === 0 ? 'No messages found' : count;
  return isIncomplete ? `${sum}. Go online to search older messages.` : sum;
}

/** How far a search has come; null where nothing is looked for. */
export function SearchStatus({ search }: { search: MessageSearch | null }) {
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
