import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { Leave, RequireAccess } from '../../features/access-gate/require-access.tsx';
import { LeadingTabProvider } from '../../platform/events/leading-tab-provider.tsx';
import { features } from '../../platform/features.ts';
import { queries } from '../../platform/http/query-client.ts';
import { screenAt } from '../../platform/screen-route.ts';
import { waitingFor } from '../../platform/session/unsent-summary.ts';
import { useAuth, useUser } from '../../platform/session/use-auth.tsx';
import { useOutboxRefusals } from '../../platform/sync/outbox/use-outbox.ts';
import { Waiting } from '../../platform/ui/feedback/waiting.tsx';
import { NotFoundPage, NotFoundScreen } from '../../platform/ui/layout/not-found-page.tsx';
import '../features.ts';
import { MemberFrame } from './member-frame.tsx';
import { watchPage } from './watch-page.ts';

const SCREENS = features().flatMap(({ screens = [] }) => screens);
const BACKGROUND = features().flatMap(({ background = [] }) => background);

/** The layout of member screens, and the screen of the address; redirects users who aren't signed in. */
export default function MemberLayout() {
  const { pathname } = useLocation();
  useEffect(watchPage, []);
  const screen = screenAt(SCREENS, pathname);
  const user = useUser();
  if (!screen && !user?.has_access) return <NotFoundPage />;
  return (
    <RequireAccess>
      {BACKGROUND.map((Background, i) => (
        <Background key={i} />
      ))}
      <SignedIn>{screen ?? <NotFoundScreen />}</SignedIn>
    </RequireAccess>
  );
}

function SignedIn({ children }: { children: ReactNode }) {
  const { isPending } = useAuth();
  const user = useUser();
  // Before the documents are opened, which restores it.
  const [unsent] = useState(() => user && waitingFor(user.id));
  useOutboxRefusals();
  if (!user) return isPending ? <Waiting /> : <Leave to="/welcome" />;
  return (
    <QueryClientProvider client={queries}>
      <LeadingTabProvider key={user.id}>
        {features().reduceRight<ReactNode>(
          (inner, { Provider }) => (Provider ? <Provider>{inner}</Provider> : inner),
          <MemberFrame unsent={unsent}>{children}</MemberFrame>,
        )}
      </LeadingTabProvider>
    </QueryClientProvider>
  );
}
