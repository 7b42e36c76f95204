import { Ban, Clock, Inbox, Search, UserRoundCheck, UserRoundPlus } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { z } from 'zod';
import type { FriendshipStatus } from '#shared/friends/contract.ts';
import {
  SEARCH_UNANSWERED,
  searchFields,
  searchUsers,
  type FoundUser,
} from '#shared/invitations/contract.ts';
import { SEARCH_TERM_MAX, INVITATION_CODE_LENGTH, SEARCH_CODE } from '#shared/invitations/rules.ts';
import { cutText } from '#shared/normalization/cut-text.ts';
import { typedCode } from '#shared/normalization/typed-code.ts';
import { Form } from '../../platform/forms/form.tsx';
import { parseForm, useSubmit } from '../../platform/forms/use-submit.ts';
import { call } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Button, ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { personPath } from '../card/profile-link.tsx';
import { LookalikeNote } from '../friends/lookalike-note.tsx';
import { statusOf } from '../friends/optimistic-contacts.ts';
import { PersonDogs, PersonPhoto } from '../friends/person-photo.tsx';
import { useContacts, useContactActions } from '../friends/use-contacts.ts';

const CODE = 'search-code';

const STATES = {
  friends: { Icon: UserRoundCheck, words: 'Friends' },
  pending_sent: { Icon: Clock, words: 'Request Pending' },
  blocked: { Icon: Ban, words: 'Blocked' },
};

/** Search results with the current relationship to each user. */
function Results({ users }: { users: FoundUser[] }) {
  const { status, contacts } = useContacts();
  const { ask } = useContactActions();

  function statusNow(user: FoundUser): FriendshipStatus {
    // The contacts document is newer than the search, even offline; until it is loaded, uses the search result.
    const known = statusOf(contacts, user.user_id);
    if (known !== 'none' || status === 'ready') return known;
    if (user.is_blocked) return 'blocked';
    if (user.is_friend) return 'friends';
    return user.has_pending_request ? 'pending_sent' : 'none';
  }

  return (
    <ul className="divide-y divide-line">
      {users.map((user) => {
        const { user_id, display_name: name } = user;
        const relationship = statusNow(user);
        const shown = {
          user_id,
          relationship: relationship === 'blocked' ? ('blocked' as const) : ('none' as const),
          card: null,
        };
        const state = relationship in STATES ? STATES[relationship as keyof typeof STATES] : null;
        return (
          <li
            key={user_id}
            className="flex min-h-16 flex-wrap items-center gap-x-3 gap-y-2 py-2 first:pt-0 last:pb-0"
          >
            <PersonPhoto person={shown} name={name} />
            <div className="min-w-0 flex-1 basis-32">
              <Link
                to={personPath(user_id)}
                className="inline-flex min-h-11 min-w-11 items-center font-bold break-words underline decoration-line-strong underline-offset-4 hover:decoration-current"
              >
                <span className="min-w-0 break-words">{name}</span>
              </Link>
              <LookalikeNote userId={user_id} name={name} />
              <PersonDogs person={shown} />
            </div>
            {state && (
              <span className="inline-flex items-center gap-1.5 rounded-full bg-sunken px-3 py-1 text-sm font-bold">
                <state.Icon aria-hidden className="size-4 shrink-0" />
                {state.words}
              </span>
            )}
            {relationship === 'pending_received' && (
              <ButtonLink look="secondary" to="/social?tab=requests" Icon={Inbox}>
                Answer their request<span className="sr-only"> ({name})</span>
              </ButtonLink>
            )}
            {relationship === 'none' && (
              <Button
                look="secondary"
                onClick={() => void ask({ user_id, name }, '')}
                Icon={UserRoundPlus}
              >
                Send request<span className="sr-only"> to {name}</span>
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The last search, kept until the app is reloaded so that returning from another tab shows its results. */
interface LastSearch {
  query: string;
  found: { users: FoundUser[]; has_more: boolean };
}
const keyOf = (userId: string) => ['people-search', userId];

/** The code of an invitation’s link; empty without one. */
const codeIn = (search: URLSearchParams): string =>
  cutText(typedCode(search.get(SEARCH_CODE) ?? ''), INVITATION_CODE_LENGTH);

/**
 * Adds a friend: somebody who is here, by QR code; somebody who gets the user's link; or a member by name, with a code from another
 * member, because strangers can't be looked up.
 * @param ways the first two
 */
export default function SearchTab({ ways }: { ways?: ReactNode }) {
  const user = useUser();
  const userId = user?.id ?? '';
  const [last] = useState(() => queries.getQueryData<LastSearch>(keyOf(userId)));
  const [query, setQuery] = useState(last?.query ?? '');
  const [search] = useSearchParams();
  const [code, setCode] = useState(
    () => codeIn(search) || (readCache(z.string(), userId, CODE) ?? ''),
  );
  const [found, setFound] = useState(last?.found ?? null);
  const results = useRef<HTMLDivElement>(null);
  // On a phone they are below the visible area.
  useEffect(() => {
    if (found && found !== last?.found) results.current?.scrollIntoView({ block: 'nearest' });
  }, [found, last]);

  const form = useSubmit(
    async () => {
      const asked = parseForm(searchFields, { query, invitation_code: code });
      try {
        const answer = await call(searchUsers, { body: asked });
        writeCache(userId, CODE, asked.invitation_code);
        queries.setQueryData<LastSearch>(keyOf(userId), { query, found: answer });
        setFound(answer);
      } catch (error) {
        setFound(null);
        throw error;
      }
    },
    { failure: SEARCH_UNANSWERED, staysOpen: true },
  );
  const field = form.bind({ query, invitation_code: code }, (name, text) => {
    if (name === 'query') setQuery(text);
    else setCode(cutText(typedCode(text), INVITATION_CODE_LENGTH));
  });

  return (
    <div className="flex flex-col gap-5">
      <section aria-labelledby="add-friend" className="flex flex-col gap-3">
        <h2 id="add-friend" className="text-lg font-bold">
          Add a friend
        </h2>
        {ways}
      </section>
      <div className="flex flex-col gap-3">
        <h3 className="font-bold">Or search by name</h3>
        <Form form={form} role="search" submit="Search" pending="Searching…" Icon={Search}>
          <Field
            label="Name"
            type="search"
            autoComplete="off"
            enterKeyHint="search"
            {...field('query')}
            maxLength={SEARCH_TERM_MAX}
            required
          />
          <Field
            label="Search code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            {...field('invitation_code')}
            hint="Eight letters and digits from a member, who makes it under Invitations. Your access code doesn’t work here."
            className="font-mono tracking-widest"
            required
          />
        </Form>
      </div>
      <div
        ref={results}
        aria-live="polite"
        className="flex scroll-mb-24 flex-col gap-3 empty:hidden"
      >
        {found && found.users.length === 0 && (
          <p className="text-soft">No one found with that name.</p>
        )}
        {found && found.users.length > 0 && <Results users={found.users} />}
        {found?.has_more && (
          <p className="text-sm text-soft">
            There are more results. Type more of the name to narrow them down.
          </p>
        )}
      </div>
    </div>
  );
}
