import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { getCharityPage } from '#shared/charities/contract.ts';
import { CallError } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { PRODUCT } from '../../../platform/product.ts';
import { ButtonLink } from '../../../platform/ui/buttons/button.tsx';
import { RetryBanner } from '../../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { CharityPresentation } from './charity-presentation.tsx';
import { ShareCharity } from './share-charity.tsx';

export function useCharityPage(id: string) {
  const asked = useQuery(
    {
      queryKey: ['charity-page', id],
      queryFn: () => call(getCharityPage, { params: { id } }),
      retry: false,
    },
    queries,
  );
  const charity = asked.data?.charity ?? null;
  return { asked, charity, title: charity?.charity_name ?? 'Charity' };
}

/** A charity as visitors and members see it, or that it isn't there. @param donate replaces the link to the donation page */
export function CharityPart({
  page: { asked, charity },
  donate,
}: {
  page: ReturnType<typeof useCharityPage>;
  donate?: ReactNode;
}) {
  const { error } = asked;
  if (error instanceof CallError && error.status === 404)
    return (
      <>
        <h1 tabIndex={-1} className="text-3xl font-bold tracking-tight">
          This page isn’t here
        </h1>
        <p className="text-soft">The charity was removed, or we haven’t verified it yet.</p>
        <ButtonLink look="secondary" to="/" className="self-start">
          Go to {PRODUCT}
        </ButtonLink>
      </>
    );
  if (charity)
    return (
      <>
        <CharityPresentation charity={charity} level="h1" donate={donate} />
        <ShareCharity charity={charity} />
      </>
    );
  if (error) return <RetryBanner title={getCharityPage.failure} asked={asked} />;
  return <Skeleton label="Loading the charity…" lines={6} asked={asked} />;
}
