import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { loadFeaturesWith } from '../platform/features.ts';
import { watchReachability } from '../platform/http/reachability.ts';
import { hasAccountTraces } from '../platform/session/account-traces.ts';
import { AuthProvider, loadSession } from '../platform/session/use-auth.tsx';
import { ErrorBoundary } from '../platform/ui/feedback/error-boundary.tsx';
import { watchTranslation } from '../platform/ui/layout/watch-translation.ts';
import { AppRoutes, isForVisitors, readyToDraw } from './routes.tsx';

// Reads the referral code before any screen changes the address.
const { search } = location;
if (search.includes('ref='))
  void import('../features/referrals/referrer.ts').then(({ rememberReferrer }) =>
    rememberReferrer(search),
  );

// The code of the members' screens, which visitors don't load.
loadFeaturesWith(() => import('./features.ts'));
watchReachability();
watchTranslation();

const root = document.getElementById('root')!;

// Visitors read about the app without what knows who is signed in, which is a fifth of all code.
const loading =
  isForVisitors(location.pathname) && !hasAccountTraces() ? Promise.resolve(null) : startSession();

/** Loads who is signed in, and asks for what members need before the first screen does. */
async function startSession() {
  const asking = import('./start-calls.ts').then(({ askAtStart }) => askAtStart());
  const [session] = await Promise.all([
    loadSession(),
    asking.catch((error: unknown) => console.warn('Not asked early', error)),
  ]);
  return session;
}

/** Shows that the app couldn't be loaded. */
function NotLoaded({ error }: { error: unknown }): never {
  throw error;
}

// In a transition React renders in slices, so that input during the first render is handled.
void Promise.allSettled([loading, readyToDraw()]).then(([session]) =>
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <ErrorBoundary>
          {session.status === 'fulfilled' ? (
            <AuthProvider session={session.value}>
              <BrowserRouter>
                <AppRoutes />
              </BrowserRouter>
            </AuthProvider>
          ) : (
            <NotLoaded error={session.reason} />
          )}
        </ErrorBoundary>
      </StrictMode>,
    ),
  ),
);
