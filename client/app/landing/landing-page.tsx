import { ChevronDown } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate } from 'react-router-dom';
import { memberPathOf } from '#shared/invitations/link.ts';
import { Slot } from '../../features/ads/slot.tsx';
import { optionalComponent } from '../../platform/lazy/lazy-component.tsx';
import { PRODUCT } from '../../platform/product.ts';
import { useAuth } from '../../platform/session/use-auth.tsx';
import { Button, ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { Waiting } from '../../platform/ui/feedback/waiting.tsx';
import { PublicPage } from '../../platform/ui/layout/public-page.tsx';
import { AlertPicture } from './alert-picture.tsx';
import { Promises } from './promises.tsx';
import { TwoTypes } from './two-types.tsx';

const MoreAbout = optionalComponent(() => import('./more-about.tsx'));

const FOOTER = [
  ['/charity-signup', 'Apply as a charity'],
  ['/privacy', 'Privacy'],
  ['/terms', 'Terms of use'],
] as const;

/** Leads a visitor who followed an invitation's link to the gate if it lets new people in; else remembers it for the sign-in. */
function useInvitationLink(isVisitor: boolean): void {
  const { search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (!isVisitor || !/[?&](ref|code)=/u.test(search)) return;
    let isShown = true;
    void import('./follow-invitation.ts')
      .then(({ followInvitation }) => followInvitation(search))
      .then((path) => path && isShown && navigate(path, { replace: true }));
    return () => {
      isShown = false;
    };
  }, [search, navigate, isVisitor]);
}

export default function LandingPage() {
  const { user, isPending } = useAuth();
  const [more, setMore] = useState(false);
  const moreId = useId();
  const { search } = useLocation();
  useInvitationLink(user === null);
  if (user) {
    const needsAccess = !user.has_access && search.includes('ref=');
    // The device may not know yet that they have access.
    if (needsAccess && isPending) return <Waiting />;
    const path = needsAccess ? `/access-code${search}` : (memberPathOf(search) ?? '/home');
    return <Navigate to={path} replace />;
  }
  return (
    <PublicPage
      title={PRODUCT}
      corner={
        <Link to="/welcome" className="flex min-h-11 items-center px-2 font-bold text-accent">
          Sign in
        </Link>
      }
    >
      <div className="grid items-center gap-8 py-6 md:grid-cols-2 md:gap-12 md:py-10">
        <div className="flex flex-col gap-5">
          <h1 tabIndex={-1} className="text-4xl font-bold tracking-tight sm:text-5xl lg:text-6xl">
            Know the dog around the corner
          </h1>
          <p className="text-lg text-soft">
            {PRODUCT} tells both walkers before their dogs meet: which dog needs space, and which
            one would love to say hello. You’ll hear it out loud. Pocket mode keeps the screen black
            but on, so that your phone can stay in your pocket.
          </p>
          <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap sm:[&>*]:whitespace-nowrap">
            <ButtonLink to="/access-code?get">Get Access Code</ButtonLink>
            <ButtonLink to="/access-code" look="secondary">
              I have a code
            </ButtonLink>
            <Button
              look="quiet"
              aria-expanded={more}
              aria-controls={moreId}
              onClick={() => setMore(!more)}
              icon={<ChevronDown aria-hidden className={`size-5 ${more ? 'rotate-180' : ''}`} />}
            >
              Learn More
            </Button>
          </div>
        </div>
        <AlertPicture />
      </div>
      {/* Sold as below the first picture. */}
      <div className="mb-6">
        <Slot
          placement="banner"
          fallback="Sponsors help pay for this app. Your name could be here."
        />
      </div>
      <div id={moreId} hidden={!more}>
        {more && <MoreAbout />}
      </div>
      <TwoTypes />
      <Promises />
      <footer className="mt-12 flex flex-col items-center gap-3 border-t border-line pt-6 text-center">
        <p className="text-soft">A shop, a vet, a groomer? Be seen by the people who walk past.</p>
        <ButtonLink to="/advertiser-signup" look="secondary">
          Advertise With Us
        </ButtonLink>
        <p className="flex flex-wrap justify-center gap-x-5">
          {FOOTER.map(([to, name]) => (
            <Link
              key={to}
              to={to}
              className="inline-flex min-h-11 items-center font-bold text-accent underline underline-offset-4"
            >
              {name}
            </Link>
          ))}
        </p>
        <div className="mt-3 w-full max-w-2xl text-left">
          <Slot placement="inline" />
        </div>
      </footer>
    </PublicPage>
  );
}
