import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { ArrowLeft, ShieldX } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useEffect } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { adminCheck } from '#shared/admin/contract.ts';
import {
  WaitingBadge,
  waitingWords,
  type WaitingCount,
} from '../../platform/admin/waiting-badge.tsx';
import { call, onRefusal } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import { SignInAgainOffer } from '../../platform/session/sign-in-again-offer.tsx';
import { useAuth } from '../../platform/session/use-auth.tsx';
import { Button, ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { ErrorBoundary } from '../../platform/ui/feedback/error-boundary.tsx';
import { RetryBanner } from '../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Toaster } from '../../platform/ui/feedback/toaster.tsx';
import { Waiting } from '../../platform/ui/feedback/waiting.tsx';
import { SelectField } from '../../platform/ui/inputs/select-field.tsx';
import { EmailText } from '../../platform/ui/layout/email-text.tsx';
import { Logo } from '../../platform/ui/layout/logo.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { useMedia } from '../../platform/ui/layout/use-media.ts';
import { keepFocus } from '../../platform/ui/navigation/keep-focus.ts';
import { FOR_ADMINS } from '../landing/for-admins.ts';
import { useWaitingCounts } from '../overview/use-overview.ts';
import { DEFAULT_TAB, OVERVIEW, TABS } from './tabs.ts';

/** The admin panel, for users who the server says are admins. */
export default function AdminPage() {
  const { user, isPending } = useAuth();
  useEffect(keepFocus, []);
  if (!user) return isPending ? <Waiting /> : <Navigate to="/welcome" replace state={FOR_ADMINS} />;
  return (
    <QueryClientProvider client={queries}>
      <div className="mx-auto flex min-h-dvh max-w-7xl flex-col px-[min(1rem,4.5vw)] pt-[env(safe-area-inset-top)] pb-[max(1.5rem,env(safe-area-inset-bottom))] sm:px-6">
        <header className="flex min-h-14 flex-wrap items-center justify-between gap-x-2 gap-y-1 py-1">
          <Logo to="/" />
          <ButtonLink
            to="/"
            look="secondary"
            className="min-h-11! px-3! sm:whitespace-nowrap"
            Icon={ArrowLeft}
          >
            Back to App
          </ButtonLink>
        </header>
        <Screen title="Admin" className="flex flex-1 flex-col gap-4">
          <Panel key={user.id} userId={user.id} />
        </Screen>
      </div>
      <Toaster />
      <SignInAgainOffer />
    </QueryClientProvider>
  );
}

function Panel({ userId }: { userId: string }) {
  const asked = useQuery({
    // Checked for each user of the browser.
    queryKey: ['admin', 'check', userId],
    queryFn: () => call(adminCheck),
    networkMode: 'always',
  });
  const { data, error, refetch } = asked;
  // If the user loses admin rights while the panel is open, says so instead of showing failed lists.
  useEffect(
    () =>
      onRefusal(({ code }) => {
        if (code === 'not_admin') void refetch();
      }),
    [refetch],
  );
  if (error && !data)
    return (
      <RetryBanner title={adminCheck.failure} asked={asked}>
        You must be online and signed in as an administrator.
      </RetryBanner>
    );
  if (!data) return <Skeleton label="Loading…" lines={6} />;
  if (!data.isAdmin) return <AccessDenied />;
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h1 tabIndex={-1} className="text-2xl font-bold tracking-tight max-lg:sr-only sm:text-3xl">
          Admin
        </h1>
        <p className="text-sm text-soft max-lg:sr-only">
          <EmailText>{data.email}</EmailText>
        </p>
      </div>
      <AdminTabs />
    </>
  );
}

function AccessDenied() {
  return (
    <section
      aria-labelledby="denied"
      className="mx-auto my-10 flex w-full max-w-md flex-col items-center gap-4 rounded-card border border-line bg-surface p-6 text-center shadow-lift"
    >
      <ShieldX aria-hidden className="size-12 text-soft" />
      <h1 id="denied" tabIndex={-1} className="text-2xl font-bold tracking-tight">
        Access Denied
      </h1>
      <p>You don&apos;t have admin privileges to access this panel.</p>
      <ButtonLink to="/" wide>
        Back to App
      </ButtonLink>
    </section>
  );
}

/** Such as 'Moderation (5)'. */
const withCount = (name: string, waiting: WaitingCount | undefined): string =>
  waiting && waiting.count > 0 ? `${name} (${waitingWords(waiting)})` : name;

/** The tabs of the panel: a list to choose from on a phone, a column on a wide screen. Each has the overview one tap away. */
function AdminTabs() {
  const [search, setSearch] = useSearchParams();
  const isWide = useMedia('(min-width: 64rem)');
  const tabOf = (name: string | null) => TABS.find(({ value }) => value === name);
  const tab = tabOf(search.get('tab')) ?? tabOf(DEFAULT_TAB) ?? TABS[0];
  const waiting = useWaitingCounts();
  return (
    <Tabs.Root
      value={tab.value}
      // Drops the previous list's search and page.
      onValueChange={(value) => setSearch({ tab: value })}
      orientation={isWide ? 'vertical' : 'horizontal'}
      activationMode="manual"
      className="flex flex-1 flex-col gap-3 lg:flex-row lg:items-start lg:gap-6"
    >
      {isWide ? (
        <Tabs.List aria-label="Admin" className="sticky top-4 flex w-52 shrink-0 flex-col gap-1">
          {TABS.map(({ value, name, Icon }) => (
            <Tabs.Trigger
              key={value}
              value={value}
              className="flex min-h-11 shrink-0 items-center gap-2.5 rounded-control px-3.5 font-bold whitespace-nowrap text-soft hover:bg-sunken data-[state=active]:bg-accent-soft data-[state=active]:text-accent"
            >
              <Icon aria-hidden className="size-5 shrink-0" />
              <span>{name}</span>
              <WaitingBadge count={waiting(value)} isQuiet={value !== OVERVIEW} />
            </Tabs.Trigger>
          ))}
        </Tabs.List>
      ) : (
        <nav aria-label="Admin" className="flex items-stretch gap-2">
          <SelectField
            label="Part of the panel"
            isLabelHidden
            value={tab.value}
            onChange={({ target }) => setSearch({ tab: target.value })}
            options={TABS.map(({ value, name }) => ({
              value,
              name: withCount(name, waiting(value)),
            }))}
            className="min-w-0 flex-1"
          />
          {tab.value !== OVERVIEW && (
            <Button
              look="secondary"
              className="shrink-0 px-3!"
              onClick={() => setSearch({ tab: OVERVIEW })}
            >
              Overview
              <WaitingBadge count={waiting(OVERVIEW)} />
            </Button>
          )}
        </nav>
      )}
      <Tabs.Content
        key={tab.value}
        value={tab.value}
        className="flex min-w-0 flex-1 flex-col gap-4 outline-offset-4"
      >
        <ErrorBoundary>
          <tab.Tab />
        </ErrorBoundary>
      </Tabs.Content>
    </Tabs.Root>
  );
}
