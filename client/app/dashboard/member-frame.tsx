import type { ComponentType, ReactNode } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { useOwnCard } from '../../features/card/use-card.ts';
import { features } from '../../platform/features.ts';
import { UpdatePrompt } from '../../platform/install/update-prompt.tsx';
import { SignInAgainOffer } from '../../platform/session/sign-in-again-offer.tsx';
import type { UnsentCount } from '../../platform/session/unsent-summary.ts';
import { WaitingChangesToast } from '../../platform/sign-out/waiting-changes-toast.tsx';
import { StorageNotice, SyncChip } from '../../platform/sync/status/sync-status-chip.tsx';
import { ErrorBoundary } from '../../platform/ui/feedback/error-boundary.tsx';
import { Toaster } from '../../platform/ui/feedback/toaster.tsx';
import { Logo } from '../../platform/ui/layout/logo.tsx';
import '../features.ts';
import { DeferredRender } from './deferred-render.tsx';
import { Navigation } from './navigation.tsx';

const BUTTONS = features().flatMap(({ buttons = [] }) => buttons);
const BANNERS = features().flatMap(({ banners = [] }) => banners);
const NOTICES = features().flatMap(({ notices = [] }) => notices);
// Without names that every object has.
const OVERLAYS = Object.assign(
  Object.create(null),
  ...features().map(({ overlays }) => overlays),
) as Record<string, ComponentType>;

/** Header, navigation and notices around a member's screen. @param unsent what waited on this device at the start */
export function MemberFrame({
  unsent,
  children,
}: {
  unsent: UnsentCount | null;
  children: ReactNode;
}) {
  const card = useOwnCard();
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const Overlay = OVERLAYS[search.get('open') ?? ''];
  return (
    <>
      <div className="group/frame mx-auto flex min-h-dvh max-w-5xl flex-col has-data-fills-window:min-h-0 has-data-fills-window:w-full has-data-fills-window:flex-1 max-md:has-data-fills-window:pb-[env(safe-area-inset-bottom)] pt-[env(safe-area-inset-top)] pb-[calc(5rem+env(safe-area-inset-bottom))] md:pb-8 not-has-data-fills-window:has-data-pill:pb-40 md:not-has-data-fills-window:has-data-pill:pb-40">
        <header className="flex flex-wrap max-md:group-has-data-fills-window/frame:hidden min-h-16 items-center justify-between gap-x-3 px-4 sm:px-6">
          <Logo to="/home" />
          <div className="-mr-3 flex items-center gap-4 md:gap-6">
            {/* Before there is a profile there is nowhere else to go. */}
            {(card ? card.display_name !== '' : pathname !== '/onboarding') && <Navigation />}
            <div className="flex items-center gap-1">
              {BUTTONS.map((Each, i) => (
                <Each key={i} />
              ))}
              <SyncChip />
            </div>
          </div>
        </header>
        {BANNERS.map((Banner, i) => (
          <Banner key={i} />
        ))}
        <UpdatePrompt />
        <StorageNotice />
        {/* The key resets the boundary on another screen. */}
        <ErrorBoundary key={pathname}>
          {children}
          {Overlay && <Overlay />}
        </ErrorBoundary>
      </div>
      {/* Nothing has anything to say before the first drawing. */}
      <DeferredRender>
        <Toaster />
        <WaitingChangesToast count={unsent} />
        <SignInAgainOffer />
        {NOTICES.map((Notice, i) => (
          <Notice key={i} />
        ))}
      </DeferredRender>
    </>
  );
}
