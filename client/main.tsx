import './disable-zod-jit.ts';
import '#shared/zod-messages.ts';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { AppRoutes, readyToDraw } from './routes.tsx';
import { AuthProvider } from './session/use-auth.tsx';
import { ErrorBoundary } from './ui/error-boundary.tsx';

// Who handed out the link by which somebody comes, before any screen changes the address.
const { search } = location;
if (search.includes('ref='))
  void import('./referrals/referrer.ts').then(({ rememberReferrer }) => rememberReferrer(search));

const root = document.getElementById('root')!;

// As a transition React draws in slices, and a press in the midst of it is answered.
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
