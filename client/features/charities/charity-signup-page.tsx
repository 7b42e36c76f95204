import { useQuery } from '@tanstack/react-query';
import { CircleCheck, ExternalLink } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { isWebAddress } from '#shared/ads/rules.ts';
import { openApplication } from '#shared/charities/contract.ts';
import { CallError } from '../../platform/http/api-client.ts';
import { call } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import { PRODUCT } from '../../platform/product.ts';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { RetryBanner } from '../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Toaster } from '../../platform/ui/feedback/toaster.tsx';
import { PublicPage } from '../../platform/ui/layout/public-page.tsx';
import { showFromTop } from '../../platform/ui/navigation/show-from-top.ts';
import { ApplicationForm } from './application-form.tsx';
import { ApplicationEditor } from './page/application-editor.tsx';

/** The format of the token in emailed links (`api/features/charities/application-links.ts`); other hashes are anchors. */
const TOKEN = /^#([\w-]+\.[\w-]{20,})$/;

/** The page where a charity applies, without signing in. */
export default function CharitySignupPage() {
  // The token of an emailed link; the address keeps it, so that a reload opens the same page.
  const { hash } = useLocation();
  const token = TOKEN.exec(hash)?.[1];
  return token ? <OwnApplication key={token} token={token} /> : <NewApplication />;
}

function OwnApplication({ token }: { token: string }) {
  const asked = useQuery(
    {
      queryKey: ['charity-application', token],
      queryFn: () => call(openApplication, { body: { token } }),
      staleTime: Infinity,
      gcTime: 0,
      retry: false,
    },
    queries,
  );
  const { data, error } = asked;
  return (
    <PublicPage title="Your charity’s page">
      {data ? (
        <ApplicationEditor token={token} opened={data} />
      ) : error instanceof CallError && error.status === 404 ? (
        <div className="mx-auto flex max-w-xl flex-col gap-3 py-4">
          <h1 tabIndex={-1} className="text-3xl font-bold tracking-tight">
            This link isn’t valid any more
          </h1>
          <p className="text-soft">Use the link in our latest email to you.</p>
        </div>
      ) : error ? (
        <RetryBanner title={openApplication.failure} asked={asked} />
      ) : (
        <Skeleton label="Loading your page…" lines={6} asked={asked} />
      )}
      <Toaster />
    </PublicPage>
  );
}

function NewApplication() {
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
        Thank you! We’ll review it within 2-3 business days and email you when it’s approved. Until
        then, the link in the email we’ve just sent lets you change it.
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
