import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useEffectEvent, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { z } from 'zod';
import { SEARCH_MAX } from '#shared/admin/paging.ts';
import {
  charitySort,
  listCharities,
  charity,
  type CharitySort,
} from '#shared/charities/contract.ts';
import { countWords } from '#shared/charities/rules.ts';
import type { Place } from '#shared/place.ts';
import { call } from '../../platform/http/api.ts';
import { errorMessage } from '../../platform/http/error-message.ts';
import { EmptyState } from '../../platform/illustrations/empty-state.tsx';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { isPositionGranted } from '../../platform/position/find-position.ts';
import { useFindPosition } from '../../platform/position/use-find-position.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Button, ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { SearchField } from '../../platform/ui/inputs/search-field.tsx';
import { SelectField } from '../../platform/ui/inputs/select-field.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';
import { useSearchChange } from '../../platform/use-search-change.ts';
import { CharityCard } from './charity-card.tsx';
import { CharityDetails } from './charity-details.tsx';
import { DonateLink } from './donate-link.tsx';
import { sorted } from './filter-and-sort.ts';

const SORTS = [
  { value: 'near', name: 'Nearest' },
  { value: 'name', name: 'Name' },
  { value: 'donations', name: 'Donations' },
  { value: 'recent', name: 'Recent' },
];

/** The list of charities with search and sort order in the address; `?open=charity&id=` shows one. */
export function BrowseCharities() {
  const [address] = useSearchParams();
  const change = useSearchChange();
  const typed = address.get('search') ?? '';
  const search = useDeferredValue(typed.trim());
  const { here, find, problem } = useHere();
  const chosen = charitySort.safeParse(address.get('sort')).data ?? (here ? 'near' : 'name');
  const found = useCharities(search, chosen, here);
  const { charities, total, cachedAt } = found;
  const { opened, id: openedId, open, close } = useDialogParam();
  const shown = opened === 'charity' ? charities?.find(({ id }) => id === openedId) : undefined;

  const set = (name: 'search' | 'sort', value: string) =>
    change(
      (next) => {
        if (value) next.set(name, value);
        else next.delete(name);
      },
      { replace: true },
    );

  return (
    <div className="flex flex-col gap-4">
      {/* Nothing to search or to sort. */}
      {!(charities?.length === 0 && typed === '') && (
        <div className="flex flex-wrap items-end gap-2 sm:gap-3">
          <SearchField
            label="Search charities"
            value={typed}
            onChange={(words) => set('search', words)}
            max={SEARCH_MAX}
            className="min-w-[min(10rem,100%)] flex-1"
          />
          <SelectField
            label="Sort by"
            options={SORTS}
            value={chosen}
            onChange={({ target }) => {
              if (target.value === 'near') void find();
              set('sort', target.value);
            }}
            className="min-w-34"
          />
        </div>
      )}
      {problem && chosen === 'near' && <ErrorBanner>{problem}</ErrorBanner>}
      {found.isUnanswered && !charities && (
        <ErrorBanner
          look={found.isOffline ? 'offline' : 'error'}
          title={listCharities.failure}
          {...(found.isOffline ? {} : { onRetry: found.retry })}
        >
          {found.isOffline
            ? 'You’re offline. Charities appear here when you’re back online.'
            : errorMessage(
                found.error,
                'Something went wrong on our server. Try again in a moment.',
              )}
        </ErrorBanner>
      )}
      {!charities && !found.isUnanswered && <Skeleton label="Loading charities…" lines={4} />}
      {charities && (
        <>
          <p role="status" className="text-soft">
            {countWords(total?.total ?? charities.length, total?.total_is_capped)}
            {cachedAt !== null && (
              <span>
                {' · as of '}
                <Time at={new Date(cachedAt).toISOString()} />
              </span>
            )}
          </p>
          {charities.length === 0 && (
            <EmptyState illustration="charity">
              {search ? 'No charities match your search.' : 'No charities yet.'}
            </EmptyState>
          )}
          <ul className="grid grid-cols-1 gap-4 empty:hidden sm:grid-cols-2 lg:grid-cols-3">
            {charities.map((charity) => (
              <CharityCard
                key={charity.id}
                charity={charity}
                onDetails={() => open('charity', charity.id)}
              />
            ))}
          </ul>
        </>
      )}
      {chosen === 'near' && here && !found.hasMore && total?.total_is_capped && (
        <p className="text-soft">
          These are the nearest {total.total}. Choose another order to see the rest.
        </p>
      )}
      {found.hasMore && (
        <Button
          look="secondary"
          pending={found.isFetchingMore && 'Loading…'}
          onClick={found.fetchMore}
        >
          Show more
        </Button>
      )}
      <p className="text-center text-soft">
        Do you represent a charity?{' '}
        <Link
          to="/charity-signup"
          className="inline-flex min-h-11 items-center font-bold text-accent underline underline-offset-4"
        >
          Apply here
        </Link>
      </p>
      <Modal open={shown !== undefined} onClose={close} title={shown?.charity_name ?? ''}>
        {shown && (
          <div className="flex flex-col gap-5">
            <CharityDetails charity={shown} />
            <div className="flex flex-wrap gap-3">
              <ButtonLink look="secondary" className="flex-1" to={`/charities/${shown.id}`}>
                Story and share link
              </ButtonLink>
              <DonateLink charity={shown} />
            </div>
          </div>
        )}
      </Modal>
    </div>
  );
}

/** To about a mile: distances to towns need no more. */
const rounded = ({ latitude, longitude }: Place): Place => ({
  latitude: Math.round(latitude * 100) / 100,
  longitude: Math.round(longitude * 100) / 100,
});

/** Where the reader is: at once if the browser allows it already, else when they ask for the nearest. */
function useHere() {
  const [here, setHere] = useState<Place | null>(null);
  const { find: findHere, problem } = useFindPosition({ isRough: true });
  const find = async () => {
    const found = await findHere();
    if (found) setHere(rounded(found));
  };
  const findAtOnce = useEffectEvent(find);
  useEffect(() => {
    void (async () => {
      if (await isPositionGranted()) await findAtOnce();
    })();
  }, []);
  return { here, find, problem };
}

const NAME = 'charities';

const cachedList = z.object({ at: z.number(), charities: z.array(charity) });

/**
 * Returns the charities that members see, page by page. Without an answer, filters and sorts the cached ones.
 * @param search terms that start words of the charity
 */
function useCharities(search: string, sort: CharitySort, here: Place | null) {
  const user = useUser();
  const userId = user?.id ?? '';
  const query = useInfiniteQuery({
    queryKey: [NAME, userId, search, sort, here],
    queryFn: async ({ signal, pageParam }) => {
      const page = await call(listCharities, {
        query: {
          sort,
          ...(sort === 'near' &&
            here && { latitude: String(here.latitude), longitude: String(here.longitude) }),
          ...(search && { search }),
          ...(pageParam && { cursor: pageParam }),
        },
        signal,
      });
      if (!search && !pageParam)
        writeCache(userId, NAME, { at: Date.now(), charities: page.charities });
      return page;
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages;
  const isUnanswered = query.isError || query.fetchStatus === 'paused';
  const isCurrent = pages !== undefined && !query.isPlaceholderData;
  const cached = isUnanswered && !isCurrent ? readCache(cachedList, userId, NAME) : null;
  const last = pages?.at(-1);
  return {
    charities: cached
      ? sorted(cached.charities, search, sort)
      : pages?.flatMap((page) => page.charities),
    total: cached ? null : (last ?? null),
    /** When they were received, in milliseconds; null if the server has just answered. */
    cachedAt: cached?.at ?? (isUnanswered && isCurrent ? query.dataUpdatedAt : null),
    isUnanswered,
    error: query.error,
    isOffline: query.fetchStatus === 'paused',
    hasMore: !cached && query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    fetchMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}
