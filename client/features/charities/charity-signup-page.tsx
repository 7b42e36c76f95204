import { CircleCheck, ExternalLink } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { isWebAddress } from '#shared/ads/rules.ts';
import { PRODUCT } from '../../platform/product.ts';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { PublicPage } from '../../platform/ui/layout/public-page.tsx';
import { showFromTop } from '../../platform/ui/navigation/focus-heading.ts';
import { ApplicationForm } from './application-form.tsx';

/** The page where a charity applies, without signing in. */
export default function CharitySignupPage() {
  const [paymentLink, setPaymentLink] = useState<string | null>(null);
  return (
    <PublicPage title="Charity application">
      {paymentLink === null ? (
        <div className="mx-auto flex max-w-xl flex-col gap-5 py-4">
          <div>
            <h1 tabIndex={-1} className="text-3xl font-bold tracking-tight">
              Apply as a charity
            </h1>
            <p className="mt-2 text-soft">
              Dog owners on {PRODUCT} can find you, read about you, and donate on your own page. We
              review every application before we show it.
            </p>
          </div>
          <ApplicationForm onDone={setPaymentLink} />
        </div>
      ) : (
        <Submitted paymentLink={paymentLink} />
      )}
    </PublicPage>
  );
}

function Submitted({ paymentLink }: { paymentLink: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    showFromTop(heading.current);
  }, []);
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-5 py-12 text-center">
      <CircleCheck aria-hidden className="size-14 text-accent" />
      <h1 ref={heading} tabIndex={-1} className="text-3xl font-bold tracking-tight">
        Application Submitted!
      </h1>
      <p className="text-soft">
        Thank you! We’ll review it within 2-3 business days and email you when it’s approved.
      </p>
      <div className="flex w-full flex-col gap-3">
        {isWebAddress(paymentLink) && (
          <a
            href={paymentLink}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex min-h-12 items-center justify-center gap-2 rounded-control border border-line-strong bg-surface px-5 py-2.5 font-bold hover:bg-sunken"
          >
            <ExternalLink aria-hidden className="size-5 shrink-0" />
            Test Your Payment Link
          </a>
        )}
        <ButtonLink to="/" wide>
          Return to Home
        </ButtonLink>
      </div>
    </div>
  );
}
