import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useSearchParams } from 'react-router-dom';
import { formatDateTime } from '#shared/dates.ts';
import { findPeople, PEOPLE_MAX } from '#shared/moderation/people-contract.ts';
import { call } from '../../http/api.ts';
import { RetryBanner } from '../../ui/retry-banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { OpenPerson } from './open-person.tsx';

const SEARCH_MIN = 2;

/** Finds people by name, email address or id, and opens them. */
export function PeopleSearch() {
  const [address, setAddress] = useSearchParams();
  const search = address.get('search') ?? '';
  const [typed, setTyped] = useState(search);
  const asked = useQuery({
    queryKey: ['admin', 'people', search],
    queryFn: () => call(findPeople, { query: { search } }),
    enabled: search.length >= SEARCH_MIN,
    staleTime: 0,
  });

  function find(event: FormEvent) {
    event.preventDefault();
    const words = typed.trim();
    if (words.length >= SEARCH_MIN)
      setAddress({ tab: 'moderation', part: 'people', search: words }, { replace: true });
  }

  const people = asked.data?.people;
  return (
    <Card title="People">
      <form role="search" onSubmit={find} className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <Field
            label="Name, email, or user ID"
            type="search"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            maxLength={320}
          />
        </div>
        <Button type="submit" disabled={typed.trim().length < SEARCH_MIN} Icon={Search}>
          Search
        </Button>
      </form>
      <div className="mt-4 flex flex-col gap-3">
        {asked.isLoading && <Skeleton label="Searching…" lines={3} />}
        {asked.error && <RetryBanner title={findPeople.failure} asked={asked} />}
        <p role="status" className="text-soft empty:hidden">
          {people?.length === 0 && 'No people found.'}
          {asked.data?.has_more &&
            `Showing the first ${PEOPLE_MAX}. Type more of the name to narrow the results.`}
        </p>
        {people && people.length > 0 && (
          <ul aria-label="People" className="divide-y divide-line">
            {people.map((person) => (
              <li
                key={person.user_id}
                className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2"
              >
                <div className="min-w-0 flex-1 basis-48">
                  <p className="font-bold break-words">{person.name}</p>
                  <p className="text-sm break-words text-soft">
                    {person.email} · joined {formatDateTime(person.joined_at)}
                  </p>
                </div>
                <OpenPerson person={person} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
