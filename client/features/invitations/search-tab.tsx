import { useQuery } from '@tanstack/react-query';
import {
  Ban,
  ChevronRight,
  Clock,
  Inbox,
  Search,
  Ticket,
  UserRoundCheck,
  UserRoundPlus,
  UsersRound,
} from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { z } from 'zod';
import { scannedPath } from '#shared/friend-links/contract.ts';
import {
  openInvitation,
  SEARCH_UNANSWERED,
  searchFields,
  searchUsers,
  type FoundUser,
} from '#shared/invitations/contract.ts';
import { pastedCode, searchCodeIn } from '#shared/invitations/link.ts';
import { SEARCH_TERM_MAX, INVITATION_CODE_LENGTH } from '#shared/invitations/rules.ts';
import { cutText } from '#shared/normalization/cut-text.ts';
import { typedCode } from '#shared/normalization/typed-code.ts';
import type { FriendshipStatus } from '#shared/profile/contract.ts';
import { Form } from '../../platform/forms/form.tsx';
import { parseForm, useSubmit } from '../../platform/forms/use-submit.ts';
import { call } from '../../platform/http/api.ts';
import { errorMessage } from '../../platform/http/error-message.ts';
import { queries } from '../../platform/http/query-client.ts';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Button, ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { Summary } from '../../platform/ui/layout/summary.tsx';
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

/** Who made the invitation whose link was opened or pasted: one tap from a friend request. */
function InvitedBy({ code, onFound }: { code: string; onFound: (name: string) => void }) {
  const userId = useUser()?.id ?? '';
  const opening = useQuery({
    queryKey: ['invitation', userId, code],
    queryFn: async () => {
      const answer = await call(openInvitation, { body: { invitation_code: code } });
      writeCache(userId, CODE, code);
      onFound(answer.user.display_name);
      return answer;
    },
    // A code that doesn’t work counts as a guess.
    retry: false,
    staleTime: Infinity,
  });
  const { data, error } = opening;
  return (
    <section aria-labelledby="invited-by" className="flex flex-col gap-3">
      <h2 id="invited-by" className="text-lg font-bold">
        {data ? `${data.user.display_name} invited you` : 'You’re invited'}
      </h2>
      {data && <Results users={[data.user]} />}
      {error && (
        <ErrorBanner title={openInvitation.failure}>
          {errorMessage(error, 'Check your connection, then open the link again.')}
        </ErrorBanner>
      )}
      {!data && !error && <Skeleton label="Opening the invitation…" lines={1} asked={opening} />}
    </section>
  );
}

/** Where a search code comes from, as the friend sees it. */
function WhereCodesAre() {
  const chip =
    'inline-flex items-center gap-1 rounded-full bg-sunken px-2.5 py-0.5 text-sm font-bold text-ink';
  return (
    <details>
      <Summary chevron="before" className="text-sm text-accent">
        Where do I get a search code?
      </Summary>
      <p className="text-soft">
        Ask any member to make an invitation link: it comes with a search code. They find it here:
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-1.5">
        <span className={chip}>
          <UsersRound aria-hidden className="size-4" />
          Social
        </span>
        <ChevronRight aria-label="then" role="img" className="size-4 shrink-0 text-soft" />
        <span className={chip}>
          <Ticket aria-hidden className="size-4" />
          Invitations
        </span>
      </p>
    </details>
  );
}

/** The last search, kept until the app is reloaded so that returning from another tab shows its results. */
interface LastSearch {
  query: string;
  found: { users: FoundUser[]; has_more: boolean };
}
const keyOf = (userId: string) => ['people-search', userId];

/** The code of an invitation’s link; empty without one. */
const codeIn = (search: string): string =>
  cutText(typedCode(searchCodeIn(search)), INVITATION_CODE_LENGTH);

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
  const linked = codeIn(search.toString());
  const [pasted, setPasted] = useState('');
  const [code, setCode] = useState(() => linked || (readCache(z.string(), userId, CODE) ?? ''));
  const navigate = useNavigate();
  const invitation = pasted || linked;

  /** Follows a link that was pasted in place of a name or code. @returns whether it was one */
  function follow(text: string): boolean {
    const friendLink = scannedPath(text.trim(), location.origin);
    if (friendLink) void navigate(friendLink);
    const found = pastedCode(text, location.origin);
    if (found) {
      setPasted(cutText(typedCode(found), INVITATION_CODE_LENGTH));
      setCode(cutText(typedCode(found), INVITATION_CODE_LENGTH));
    }
    return friendLink !== null || found !== null;
  }

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
    if (follow(text)) return;
    if (name === 'query') setQuery(cutText(text, SEARCH_TERM_MAX));
    else setCode(cutText(typedCode(text), INVITATION_CODE_LENGTH));
  });

  return (
    <div className="flex flex-col gap-5">
      {invitation !== '' && <InvitedBy key={invitation} code={invitation} onFound={setQuery} />}
      <section aria-labelledby="add-friend" className="flex flex-col gap-3">
        <h2 id="add-friend" className="text-lg font-bold">
          Add a friend
        </h2>
        {ways}
      </section>
      <div className="flex max-w-xl flex-col gap-3">
        <h3 className="font-bold">Or search by name</h3>
        <p className="text-soft">
          You need a search code from a member, so that strangers can’t look you up.
        </p>
        <Form form={form} role="search" submit="Search" pending="Searching…" Icon={Search}>
          <Field
            label="Name"
            type="search"
            autoComplete="off"
            enterKeyHint="search"
            {...field('query')}
            required
          />
          <Field
            label="Search code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            {...field('invitation_code')}
            hint="Eight letters and digits, or paste an invitation link. It isn’t your access code."
            className="font-mono tracking-widest"
            required
          />
        </Form>
        <WhereCodesAre />
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
