import { CircleCheck } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import type { z } from 'zod';
import { formatLongDate } from '#shared/dates.ts';
import { friendLinkPath } from '#shared/friend-links/contract.ts';
import { memberPathOf } from '#shared/invitations/link.ts';
import { getInvitation } from '#shared/referrals/contract.ts';
import { loadFeatures } from '../../platform/features.ts';
import { call } from '../../platform/http/api.ts';
import { Illustration } from '../../platform/illustrations/illustration.tsx';
import { optionalComponent } from '../../platform/lazy/lazy-component.tsx';
import { useAuth, useAuthActions } from '../../platform/session/use-auth.tsx';
import { ACCESS_VERIFIED } from '../../platform/storage-keys.ts';
import { PublicPage } from '../../platform/ui/layout/public-page.tsx';
import { showFromTop } from '../../platform/ui/navigation/show-from-top.ts';
import { PATTERNS, vibrate } from '../../platform/vibration.ts';
import { useWantedFriend } from '../friend-links/use-wanted-friend.ts';
import { DonationPanel } from '../payments/donation-panel.tsx';
import { reportAccess } from '../referrals/referrer.ts';
import { AskWillItWork } from '../walkers/ask-will-it-work.tsx';
import { CodeForm } from './code-form.tsx';
import { setAccessVerified } from './flags.ts';
import { readWanted, rememberWanted, takeWanted } from './wanted-path.ts';

/** Loaded on demand: most visitors of the gate aren't signed in. */
const GateAccount = optionalComponent(async () => {
  const [account] = await Promise.all([import('./gate-account.tsx'), loadFeatures()]);
  return account;
});

/** How long 'Access Granted!' is shown before the dashboard opens. */
const GRANTED_MS = 1500;

/** Access that was given on this page, or in another tab. */
interface Granted {
  code?: string;
  until?: string;
  /** Donors get a code of their own. */
  isDonor?: boolean;
}

type Invitation = z.output<typeof getInvitation.answer>;

/** The invitation whose link was opened: undefined while it is loaded, null if it can't be used or there is none. */
function useInvitation(): Invitation | null | undefined {
  const [search] = useSearchParams();
  const ref = search.get('ref');
  const memberPath = memberPathOf(search.toString());
  const [invitation, setInvitation] = useState<Invitation | null>();
  useEffect(() => {
    if (!ref) return;
    // For someone whom the invitation doesn't let in, once they have access.
    if (memberPath) rememberWanted(memberPath);
    const leaving = new AbortController();
    const open = async () => {
      try {
        const found = await call(getInvitation, { params: { ref }, signal: leaving.signal });
        setInvitation(found);
        // After the sign-up, the first screen proposes the friendship with who invited them.
        if (found.friend_token) rememberWanted(friendLinkPath(found.friend_token));
      } catch {
        if (!leaving.signal.aborted) setInvitation(null);
      }
    };
    void open();
    return () => leaving.abort();
  }, [ref, memberPath]);
  return ref ? invitation : null;
}

/** @param hasEnded whether it is the page of a signed-in person whose access has ended */
function titleOf(
  invitation: Invitation | null | undefined,
  friendLink: string | null,
  hasEnded: boolean,
  wantsCode: boolean,
): string {
  if (friendLink) return friendLink;
  if (invitation) return `${invitation.inviter_name} invited you`;
  if (hasEnded) return 'Renew your access';
  return wantsCode ? 'Get an access code' : 'Enter your access code';
}

export default function AccessCodePage() {
  const { user, fetchUser } = useAuth();
  const auth = useAuthActions();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const invitation = useInvitation();
  const [wanted] = useState(readWanted);
  const friendLink = useWantedFriend(wanted);
  const [granted, setGranted] = useState<Granted | null>(null);
  /** Whether they followed a link that promises a code. */
  const wantsCode = search.has('get');
  const isSignedIn = user !== null;
  // Access that was withdrawn still has its planned end.
  const hasEnded = user !== null && !user.has_access && user.access_expires_at !== null;

  // Someone who isn't signed in yet gets to the screen they wanted after the sign-in.
  const goOn = useCallback(
    () => void navigate(isSignedIn ? takeWanted() : '/home'),
    [isSignedIn, navigate],
  );
  // The form that had the focus is gone.
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (granted) showFromTop(heading.current);
  }, [granted]);
  useEffect(() => {
    if (!granted) return;
    const timer = setTimeout(goOn, GRANTED_MS);
    return () => clearTimeout(timer);
  }, [granted, goOn]);

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    // Skips the form if another tab has passed the gate.
    const follow = async ({ key, newValue }: StorageEvent) => {
      if (key !== ACCESS_VERIFIED || newValue !== 'true') return;
      await fetchUser();
      if (!signal.aborted) setGranted({});
    };
    window.addEventListener('storage', (event) => void follow(event), { signal });
    return () => leaving.abort();
  }, [fetchUser]);

  function letIn(code: string, until: string, isDonor = false) {
    setAccessVerified();
    void reportAccess(code);
    auth.letIn(until);
    setGranted({ code, until, isDonor });
    vibrate(PATTERNS.success);
  }

  const donation = (
    <DonationPanel isWanted={wantsCode} onGranted={(code, until) => letIn(code, until, true)} />
  );
  return (
    <PublicPage title="Access code">
      <div className="mx-auto flex max-w-md flex-col gap-5 py-4 md:py-12">
        {!hasEnded && <Illustration name="friends" size="small" />}
        <div className="flex flex-col gap-2">
          <h1 ref={heading} tabIndex={-1} className="text-3xl font-bold tracking-tight break-words">
            {granted ? 'You’re in' : titleOf(invitation, friendLink, hasEnded, wantsCode)}
          </h1>
          <p className={granted ? 'sr-only' : 'text-soft'}>
            {invitation
              ? `Your access code is filled in. You can use it until ${formatLongDate(invitation.expires_at)}.`
              : hasEnded
                ? 'Enter a new code, or donate.'
                : friendLink
                  ? 'Once you’re in, you can become friends, and your phones will tell you when you’re close. No code? Ask them to send you one (under You, Refer Friends), or donate below.'
                  : wantsCode
                    ? 'Ask a member you know for an invitation, or donate and get a code at once.'
                    : 'We’re growing by invitation, so there will be people to meet where you walk. Your code came with your invitation.'}
          </p>
          {invitation === null && search.has('ref') && !granted && (
            <p role="status" className="rounded-control bg-sunken p-3.5 font-bold">
              {getInvitation.failure}. Ask for another one, or enter a code.
            </p>
          )}
        </div>
        <div role="status" className="empty:hidden">
          {granted && (
            <div className="rounded-card border-2 border-accent bg-accent-soft p-5">
              <p className="flex items-center gap-3 text-xl font-bold">
                <CircleCheck aria-hidden className="size-7 shrink-0 text-accent" />
                Access Granted!
              </p>
              {granted.code && granted.until && (
                <p className="mt-2 break-words">
                  Code <strong>{granted.code}</strong>, access until{' '}
                  <strong>{formatLongDate(granted.until)}</strong>
                </p>
              )}
              {granted.isDonor && <p className="mt-2">You’ll find your code under You.</p>}
            </div>
          )}
        </div>
        {!granted && wantsCode && donation}
        {!granted && <CodeForm given={invitation?.access_code} onGranted={letIn} />}
        {!granted && <AskWillItWork />}
        {!granted && !wantsCode && donation}
        {user && !granted && <GateAccount user={user} />}
        {!user && !granted && (
          <p className="text-center text-soft">
            Here before?{' '}
            <Link
              to="/welcome"
              className="inline-flex min-h-11 items-center font-bold text-accent underline underline-offset-4"
            >
              Sign in
            </Link>
          </p>
        )}
      </div>
    </PublicPage>
  );
}
