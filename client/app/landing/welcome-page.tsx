import { BellRing, EyeOff, UsersRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { isAccessVerified } from '../../features/access-gate/flags.ts';
import { Slot } from '../../features/ads/slot.tsx';
import { optionalComponent } from '../../platform/lazy/lazy-component.tsx';
import { PRODUCT, SIGN_IN } from '../../platform/product.ts';
import { hasUnsentChanges } from '../../platform/session/account-traces.ts';
import { useAuth } from '../../platform/session/use-auth.tsx';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { PublicPage } from '../../platform/ui/layout/public-page.tsx';
import { Summary } from '../../platform/ui/layout/summary.tsx';
import { Feature } from './feature.tsx';
import { FOR_ADMINS } from './for-admins.ts';

/** Loaded on demand, because few visitors have unsent changes. */
const WaitingChanges = optionalComponent(
  () => import('../../platform/sign-out/waiting-changes.tsx'),
);

const STEPS = [
  ['Sign in', `With your ${SIGN_IN} account; there is no new password to remember.`],
  ['Tell us about your dog', 'A name, and whether your dog needs space or is friendly.'],
  ['Share your location', 'Only while you walk, and only as a rough distance.'],
  ['Walk', 'Put your phone in your pocket with the screen on. You’ll hear warnings in time.'],
] as const;

/** What the page says to each kind of reader. */
const TEXTS = {
  admin: {
    title: 'Sign in to the admin panel',
    about: `Use the ${SIGN_IN} account that was made an administrator.`,
    button: 'Sign in',
  },
  admitted: {
    title: 'Sign in to start',
    about: `You have access. Use your ${SIGN_IN} account; there’s no new password to remember.`,
    button: 'Get Started',
  },
  visitor: {
    title: 'A calmer walk, for every dog',
    about: `${PRODUCT} tells you about the dogs nearby, and tells their people about yours, before anyone has to pull on a leash.`,
    button: 'Get Started',
  },
} as const;

export default function WelcomePage() {
  const { user, redirectToLogin } = useAuth();
  const [leaving, setLeaving] = useState(false);
  const [failed, setFailed] = useState(false);
  const [search] = useSearchParams();
  const isForAdmins = useLocation().state === FOR_ADMINS;
  const [hasCode] = useState(() => isAccessVerified());
  useEffect(() => {
    // After going back from the identity provider, the page may be restored from the back-forward cache.
    const comeBack = () => setLeaving(false);
    window.addEventListener('pageshow', comeBack);
    return () => window.removeEventListener('pageshow', comeBack);
  }, []);
  if (user) return <Navigate to="/home" replace />;
  const texts = TEXTS[isForAdmins ? 'admin' : hasCode ? 'admitted' : 'visitor'];

  async function signIn() {
    setLeaving(true);
    setFailed(false);
    try {
      await redirectToLogin();
    } catch {
      setFailed(true);
      setLeaving(false);
    }
  }
  const pending = leaving && 'Taking you to sign-in…';

  const about = (
    <>
      <h2 className="sr-only">What it does</h2>
      <ul className="grid grid-cols-1 gap-4 md:grid-cols-3">
        <Feature Icon={BellRing} title="Warned in time">
          You hear the dog’s name and whether it needs space while there’s still room to turn.
        </Feature>
        <Feature Icon={UsersRound} title="Both of you">
          The other walker is warned at the same moment, so no one is surprised.
        </Feature>
        <Feature Icon={EyeOff} title="No one sees where you are">
          Only rough distances, never your location, and nothing at all when you’re not sharing.
        </Feature>
      </ul>
      <div className="mt-10">
        <Slot
          placement="banner"
          fallback="Sponsors help pay for this app. Your name could be here."
        />
      </div>
      <section aria-labelledby="how" className="py-10">
        <h2 id="how" className="mb-5 text-2xl font-bold">
          How it works
        </h2>
        <ol className="grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
          {STEPS.map(([title, words], step) => (
            <li key={title} className="flex flex-wrap gap-4 lg:flex-col lg:gap-3">
              <span
                aria-hidden
                className="flex size-11 shrink-0 items-center justify-center rounded-full bg-ink text-lg font-bold text-ground"
              >
                {step + 1}
              </span>
              <div className="min-w-0 flex-1 basis-28 lg:flex-none">
                <h3 className="text-lg font-bold">{title}</h3>
                <p className="text-soft">{words}</p>
              </div>
            </li>
          ))}
        </ol>
      </section>
      <div className="flex flex-col items-center gap-4 rounded-card border border-line bg-surface p-6 text-center shadow-lift sm:p-10">
        <h2 className="text-2xl font-bold">Ready for the next walk?</h2>
        <Button onClick={signIn} pending={pending} className="w-full sm:w-auto">
          Start Free Today
        </Button>
      </div>
      <div className="mt-10">
        <Slot placement="inline" />
      </div>
    </>
  );

  return (
    <PublicPage
      title="Welcome"
      corner={
        !hasCode &&
        !isForAdmins && (
          <Link to="/access-code" className="flex min-h-11 items-center px-2 font-bold text-accent">
            Access code
          </Link>
        )
      }
    >
      {search.get('account') === 'deleted' && (
        <p role="status" className="rounded-control bg-sunken p-4 text-center font-bold">
          Your account has been deleted.
        </p>
      )}
      {hasUnsentChanges() && <WaitingChanges />}
      <div className="flex flex-col items-center gap-5 py-8 text-center md:py-14">
        <h1 tabIndex={-1} className="max-w-2xl text-4xl font-bold tracking-tight sm:text-5xl">
          {texts.title}
        </h1>
        <p className="max-w-xl text-lg text-balance text-soft">{texts.about}</p>
        <Button
          onClick={signIn}
          pending={pending}
          icon={!leaving && SIGN_IN === 'Google' && <GoogleMark />}
          className="w-full sm:w-auto"
        >
          {texts.button} with {SIGN_IN}
        </Button>
        {failed && (
          <ErrorBanner title="We can’t reach the sign-in service">
            Check your connection and try again in a moment.
          </ErrorBanner>
        )}
      </div>
      {isForAdmins ? null : hasCode ? (
        // Whoever has access needs no second sales page.
        <details className="mx-auto w-full max-w-md rounded-card border border-line bg-surface px-4 py-2">
          <Summary chevron="end">
            <span>How {PRODUCT} works</span>
          </Summary>
          <div className="pt-4">{about}</div>
        </details>
      ) : (
        about
      )}
    </PublicPage>
  );
}

/** Google's logo in one color, which fits its button in light and dark mode. */
function GoogleMark() {
  return (
    <svg aria-hidden viewBox="0 0 24 24" className="size-5 shrink-0" fill="currentColor">
      <path d="M21.6 12.2c0-.7-.1-1.4-.2-2H12v3.9h5.4a4.6 4.6 0 0 1-2 3v2.6h3.2c1.9-1.8 3-4.4 3-7.5Z" />
      <path
        d="M12 22c2.7 0 5-.9 6.6-2.4l-3.2-2.5a6 6 0 0 1-9-3.2H3.1v2.6A10 10 0 0 0 12 22Z"
        opacity=".8"
      />
      <path d="M6.4 13.9a6 6 0 0 1 0-3.8V7.5H3.1a10 10 0 0 0 0 9l3.3-2.6Z" opacity=".6" />
      <path
        d="M12 6c1.5 0 2.8.5 3.9 1.5l2.8-2.8A10 10 0 0 0 3.1 7.5l3.3 2.6A6 6 0 0 1 12 6Z"
        opacity=".9"
      />
    </svg>
  );
}
