import '../platform/disable-zod-jit.ts';
import '#shared/zod-messages.ts';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { watchReachability } from '../platform/http/reachability.ts';
import { loadFeaturesWith } from '../platform/features.ts';
import { AppRoutes, readyToDraw } from './routes.tsx';
import { AuthProvider } from '../platform/session/use-auth.tsx';
import { ErrorBoundary } from '../platform/ui/feedback/error-boundary.tsx';
import { watchTranslation } from '../platform/ui/layout/watch-translation.ts';

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

// In a transition React renders in slices, so that input during the first render is handled.
void readyToDraw().then(() =>
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <ErrorBoundary>
          <AuthProvider>
            <BrowserRouter>
              <AppRoutes />
            </BrowserRouter>
          </AuthProvider>
        </ErrorBoundary>
      </StrictMode>,
    ),
  ),
);
