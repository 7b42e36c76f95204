import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router-dom';
import { getCharityPage, type PublicCharity } from '#shared/charities/contract.ts';
import { CallError } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { PRODUCT } from '../../../platform/product.ts';
import { ButtonLink } from '../../../platform/ui/buttons/button.tsx';
import { RetryBanner } from '../../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { Toaster } from '../../../platform/ui/feedback/toaster.tsx';
import { PublicPage } from '../../../platform/ui/layout/public-page.tsx';
import { CharityPresentation } from './charity-presentation.tsx';
import { ShareCharity } from './share-charity.tsx';

/** A charity's public page, for everybody who has the link. */
export default function CharityPage() {
  const { id = '' } = useParams();
  const asked = useQuery(
    {
      queryKey: ['charity-page', id],
      queryFn: () => call(getCharityPage, { params: { id } }),
      retry: false,
    },
    queries,
  );
  const { data, error } = asked;
  const isMissing = error instanceof CallError && error.status === 404;
  return (
    <PublicPage title={data?.charity.charity_name ?? 'Charity'}>
      <div className="mx-auto flex w-full max-w-2xl flex-col gap-5 py-4">
        {isMissing ? (
          <>
            <h1 tabIndex={-1} className="text-3xl font-bold tracking-tight">
              This page isn’t here
            </h1>
            <p className="text-soft">The charity was removed, or we haven’t verified it yet.</p>
            <ButtonLink look="secondary" to="/" className="self-start">
              Go to {PRODUCT}
            </ButtonLink>
          </>
        ) : error ? (
          <RetryBanner title={getCharityPage.failure} asked={asked} />
        ) : !data ? (
          <Skeleton label="Loading the charity…" lines={6} />
        ) : (
          <>
            <CharityPresentation charity={data.charity} level="h1" />
            <ShareCharity charity={data.charity} />
            <p className="text-soft">
              {PRODUCT} warns dog owners before their dogs meet, and shows them charities nearby.{' '}
              <Link
                to="/"
                className="inline-flex min-h-11 items-center font-bold text-accent underline underline-offset-4"
              >
                What’s {PRODUCT}?
              </Link>
            </p>
            <StructuredData charity={data.charity} />
          </>
        )}
      </div>
      <Toaster />
    </PublicPage>
  );
}

/** The charity for search engines, in the words of schema.org. */
function StructuredData({ charity }: { charity: PublicCharity }) {
  const { address, city, state, zip_code } = charity;
  const data = {
    '@context': 'https://schema.org',
    '@type': 'NGO',
    name: charity.charity_name,
    description: charity.description,
    url: charity.website_url ?? window.location.href,
    ...(charity.logo_key && { logo: `${window.location.origin}/api/files/${charity.logo_key}` }),
    ...(charity.tax_id && { taxID: charity.tax_id }),
    ...((address ?? city) && {
      address: {
        '@type': 'PostalAddress',
        streetAddress: address,
        addressLocality: city,
        addressRegion: state,
        postalCode: zip_code,
      },
    }),
    potentialAction: { '@type': 'DonateAction', target: charity.payment_link },
  };
  return (
    // A closing tag in a text would end the script.
    <script type="application/ld+json">
      {JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}
    </script>
  );
}
