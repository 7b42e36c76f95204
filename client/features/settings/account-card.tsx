import { useQuery } from '@tanstack/react-query';
import { CircleQuestionMark, FileText, ShieldCheck, Ticket, type LucideIcon } from 'lucide-react';
import { Link } from 'react-router-dom';
import { getAccess } from '#shared/access-gate/contract.ts';
import { formatLongDate } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';
import { PAYER_WORDS } from '#shared/payments/provider-states.ts';
import { call } from '../../platform/http/api.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { LogoutButton } from '../../platform/sign-out/logout-button.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { DetailsList } from '../../platform/ui/layout/details-list.tsx';
import { RENEW_OPEN } from '../access-gate/renewal.ts';

const LINKS: { to: string; name: string; Icon: LucideIcon }[] = [
  { to: `/home?open=${RENEW_OPEN}`, name: 'Renew your access', Icon: Ticket },
  { to: '/privacy', name: 'Privacy', Icon: ShieldCheck },
  { to: '/terms', name: 'Terms of use', Icon: FileText },
  { to: '/you', name: 'Help', Icon: CircleQuestionMark },
];

/** Who is signed in, until when they have access, the receipt of a donation, and logging out. */
export function AccountCard() {
  const user = useUser();
  const { data: access } = useQuery({
    queryKey: ['access', user?.id],
    queryFn: ({ signal }) => call(getAccess, { signal }),
  });
  const { access_code, ends_at, donation } = access ?? {};
  return (
    <Card title="Account" id="account">
      <DetailsList
        rows={[
          ['Signed in as', user?.email],
          ...(ends_at ? [['Access until', formatLongDate(ends_at)] as const] : []),
          ...(access_code ? [['Access code', access_code] as const] : []),
          ...(donation
            ? [
                [
                  'Donation',
                  `${dollars(donation.amount_cents)} on ${formatLongDate(donation.paid_at)}`,
                ] as const,
                ['Receipt number', donation.id] as const,
                ...(PAYER_WORDS[donation.provider_state]
                  ? [['Its payment', PAYER_WORDS[donation.provider_state]] as const]
                  : []),
              ]
            : []),
        ]}
      />
      <ul className="mt-2 divide-y divide-line">
        {LINKS.map(({ to, name, Icon }) => (
          <li key={to}>
            <Link
              to={to}
              className="flex min-h-12 items-center gap-3 font-bold underline-offset-4 hover:underline"
            >
              <Icon aria-hidden className="size-5 shrink-0 text-accent" />
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <LogoutButton className="-ml-5" />
    </Card>
  );
}
