import {
  BellRing,
  ChevronRight,
  Footprints,
  HandHeart,
  Settings,
  ShieldCheck,
  UserRound,
  UserRoundPen,
  UserRoundPlus,
  type LucideIcon,
} from 'lucide-react';
import { Link } from 'react-router-dom';
import { ProfileLink } from '../../features/card/profile-link.tsx';
import { useOwnCard } from '../../features/card/use-card.ts';
import { OwnerIndexCard } from '../../features/friendly-index/owner-index-card.tsx';
import { useUser } from '../../platform/session/use-auth.tsx';
import { LogoutButton } from '../../platform/sign-out/logout-button.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { useMedia } from '../../platform/ui/layout/use-media.ts';
import { HelpCard } from './help-card.tsx';

interface Row {
  to: string;
  name: string;
  more: string;
  Icon: LucideIcon;
}

const ROWS: Row[] = [
  {
    to: '/onboarding',
    name: 'Edit Profile',
    more: 'Photo, name, a line about you',
    Icon: UserRoundPen,
  },
  {
    to: '/walks',
    name: 'Your walks',
    more: 'History and totals, on this device',
    Icon: Footprints,
  },
  { to: '/settings', name: 'Settings', more: 'Alerts, quiet places, your access', Icon: Settings },
  {
    to: '/home?open=test-alerts',
    name: 'Test Alerts',
    more: 'Hear and feel an alert',
    Icon: BellRing,
  },
  {
    to: '/home?open=refer-friends',
    name: 'Refer Friends',
    more: 'Be warned of more dogs',
    Icon: UserRoundPlus,
  },
  {
    to: '/community',
    name: 'Community Charities',
    more: 'Local rescues and shelters',
    Icon: HandHeart,
  },
];
const ADMIN: Row = { to: '/admin', name: 'Admin', more: 'For administrators', Icon: ShieldCheck };

const rowLook =
  'group flex min-h-14 items-center gap-3 py-2 underline-offset-4 hover:[&_strong]:underline';

/** The owner: profile, friendly index, settings, help and logout. */
export default function YouPage() {
  const card = useOwnCard();
  const user = useUser();
  const isWide = useMedia('(min-width: 48rem)');
  return (
    <Screen title="You" className="flex flex-col gap-4 px-4 pb-4 sm:px-6">
      <div className="flex flex-wrap items-center justify-between gap-x-4 pt-1">
        <h1
          tabIndex={-1}
          className="min-w-0 text-2xl font-bold tracking-tight break-words sm:text-3xl"
        >
          {card?.display_name || 'You'}
        </h1>
        <LogoutButton className="-mr-2 px-2!" />
      </div>
      <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4 md:order-2">
          <OwnerIndexCard />
          {isWide && <HelpCard />}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <nav
            aria-label="You"
            className="rounded-card border border-line bg-surface px-4 py-1 shadow-lift sm:px-5"
          >
            <ul className="divide-y divide-line">
              <li>
                <ProfileLink className={rowLook}>
                  <RowContent name="My Profile" more="As other owners see you" Icon={UserRound} />
                </ProfileLink>
              </li>
              {[...ROWS, ...(user?.is_admin ? [ADMIN] : [])].map((row) => (
                <li key={row.to}>
                  <Link to={row.to} className={rowLook}>
                    <RowContent {...row} />
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          {!isWide && <HelpCard />}
        </div>
      </div>
    </Screen>
  );
}

function RowContent({ name, more, Icon }: Omit<Row, 'to'>) {
  return (
    <>
      <Icon aria-hidden className="size-6 shrink-0 text-accent" />
      <span className="min-w-0 flex-1">
        <strong className="block leading-snug">{name}</strong>
        <span className="block text-sm text-soft">{more}</span>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-soft" />
    </>
  );
}
