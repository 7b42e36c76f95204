import { SlidersHorizontal, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { SEARCH_MAX } from '#shared/admin/paging.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { SearchField } from '../../ui/inputs/search-field.tsx';
import { SelectField } from '../../ui/inputs/select-field.tsx';
import { Summary } from '../../ui/layout/summary.tsx';
import { useMedia } from '../../ui/layout/use-media.ts';
import { SavedViews } from '../saved/saved-views.tsx';
import type { AdminList } from './use-admin-list.ts';

/** Delay after the last keystroke before the search runs. */
const PAUSE_MS = 300;

/** The search, filters and order of a list. */
export function ListControls({
  list: { address, search, controls },
}: {
  list: Pick<AdminList, 'address' | 'search' | 'controls'>;
}) {
  const { query, isFiltered, choose, clear } = address;
  const isWide = useMedia('(min-width: 40rem)');
  const chosen = controls.filter(({ name }) => query[name]).length;
  const selects = controls.map(({ name, label, options }) => (
    <SelectField
      key={name}
      label={label}
      options={options}
      value={query[name] ?? ''}
      onChange={(event) => choose(name, event.target.value)}
      className="min-w-32 flex-1 sm:flex-none"
    />
  ));
  const clearButton = isFiltered && (
    <Button look="quiet" onClick={clear} Icon={X}>
      Clear filters
    </Button>
  );
  const searchField = search && (
    <ListSearch label={search} value={query['search'] ?? ''} onSearch={choose} />
  );
  // A view keeps no search.
  const isChosen = Object.keys(query).some((name) => name !== 'search' && name !== 'cursor');
  const views = <SavedViews isChosen={isChosen} />;
  if (isWide)
    return (
      <div className="flex flex-col gap-1">
        <div className="flex flex-wrap items-end gap-3">
          {searchField}
          {selects}
          {clearButton}
        </div>
        {views}
      </div>
    );
  return (
    <Folded title={search ? 'Search, filter, sort' : 'Filter and sort'} chosen={chosen}>
      {searchField}
      {selects}
      {clearButton}
      {views}
    </Folded>
  );
}

/** The controls of a list on a phone, where the rows come first. @param chosen how many are in use */
export function Folded({
  title,
  chosen = 0,
  children,
}: {
  title: string;
  chosen?: number;
  children: ReactNode;
}) {
  return (
    <details>
      <Summary className="gap-2! font-bold text-accent">
        <SlidersHorizontal aria-hidden className="size-5 shrink-0" />
        <span>{title}</span>
        {chosen > 0 && (
          // A number leaves room for what stands beside it on a phone.
          <span className="rounded-full bg-accent-soft px-2 text-sm tabular-nums">
            {chosen}
            <span className="sr-only"> chosen</span>
          </span>
        )}
      </Summary>
      <div className="flex flex-wrap items-end gap-3 pt-1">{children}</div>
    </details>
  );
}

function ListSearch({
  label,
  value,
  onSearch,
}: {
  label: string;
  value: string;
  onSearch: (name: string, value: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  const searched = useRef(value);
  // Shows a change of the address that wasn't typed, such as by 'Clear filters'.
  useEffect(() => {
    if (value === searched.current) return;
    searched.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    const term = typed.trim();
    if (term === searched.current) return;
    const timer = setTimeout(() => {
      searched.current = term;
      onSearch('search', term);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, onSearch]);
  return (
    <SearchField
      label={label}
      value={typed}
      onChange={setTyped}
      max={SEARCH_MAX}
      className="min-w-full flex-1 sm:min-w-56"
    />
  );
}
