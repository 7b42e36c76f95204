import { Link } from 'react-router-dom';
import type { PublicCharity } from '#shared/charities/contract.ts';
import { getPublicFile } from '#shared/files/contract.ts';
import { pathOf } from '../../../platform/http/api-client.ts';
import { PRODUCT } from '../../../platform/product.ts';
import { Toaster } from '../../../platform/ui/feedback/toaster.tsx';
import { PublicPage } from '../../../platform/ui/layout/public-page.tsx';
import { CharityPart, useCharityPage } from './charity-part.tsx';

/** A charity's public page, for everybody who has the link; members see `MemberCharityPage`. */
export default function CharityPage({ id }: { id: string }) {
  const page = useCharityPage(id);
  return (
    <PublicPage title={page.title}>
      <div className="mx-auto flex w-full max-w-2xl flex-col gap-5 py-4">
        <CharityPart page={page} />
        {page.charity && (
          <>
            <p className="text-soft">
              {PRODUCT} warns dog owners before their dogs meet, and shows them charities nearby.{' '}
              <Link
                to="/"
                className="inline-flex min-h-11 items-center font-bold text-accent underline underline-offset-4"
              >
                What’s {PRODUCT}?
              </Link>
            </p>
            <StructuredData charity={page.charity} />
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
    ...(charity.logo_key && {
      logo: `${window.location.origin}${pathOf(getPublicFile, { key: charity.logo_key })}`,
    }),
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
