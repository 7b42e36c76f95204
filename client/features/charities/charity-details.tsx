import type { ReactNode } from 'react';
import { isWebAddress } from '#shared/ads/rules.ts';
import type { PublicCharity } from '#shared/charities/contract.ts';
import { GivenWords } from './charity-goal.tsx';
import { CharityLogo } from './charity-logo.tsx';

/** The site of an address, as people call it. */
export const hostOf = (address: string) =>
  (URL.parse(address)?.host ?? address).replace(/^www\./, '');

/** A charity's details, with the phone where the reader may see it; `more` adds rows for admins. */
export function CharityDetails({
  charity,
  more = [],
  hasHeader = true,
}: {
  charity: PublicCharity & { phone?: string | null };
  more?: readonly [name: string, value: ReactNode][];
  /** False where the logo, what it raised and the donation page are shown already. */
  hasHeader?: boolean;
}) {
  const { address, city, state, zip_code, phone, website_url, tax_id } = charity;
  const where = [address, city, [state, zip_code].filter(Boolean).join(' ')].filter(Boolean);
  const rows = [
    ['Address', where.join(', ')],
    ['Phone', phone && <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</a>],
    ['Website', website_url && <ExternalAddress address={website_url} />],
    ['Tax ID', tax_id],
    ['Donation page', hasHeader && <ExternalAddress key="link" address={charity.payment_link} />],
    ...more,
  ] as const;
  return (
    <div className="flex flex-col gap-4">
      {hasHeader && (
        <div className="flex items-center gap-3">
          <CharityLogo logoKey={charity.logo_key} />
          <p className="font-bold text-soft">
            <GivenWords charity={charity} />
          </p>
        </div>
      )}
      <p className="break-words whitespace-pre-line">{charity.description}</p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 border-t border-line pt-4">
        {rows.map(
          ([name, value]) =>
            value && (
              <div key={name} className="contents">
                <dt className="text-soft">{name}</dt>
                <dd className="break-words [&_a]:inline-block [&_a]:min-h-6 [&_a]:text-accent [&_a]:underline [&_a]:underline-offset-4">
                  {value}
                </dd>
              </div>
            ),
        )}
      </dl>
    </div>
  );
}

/** An external address; only http and https become links. */
function ExternalAddress({ address }: { address: string }) {
  if (!isWebAddress(address)) return <>{address}</>;
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      className="-my-2.5 inline-block py-2.5"
    >
      {hostOf(address)}
      <span className="sr-only"> (in a new window)</span>
    </a>
  );
}
