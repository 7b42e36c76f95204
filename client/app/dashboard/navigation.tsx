import { CircleUserRound, Dog, Footprints, Trees, UsersRound, type LucideIcon } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { WaitingBadge } from '../../features/friends/waiting-badge.tsx';
import { useSocialAddress } from './use-social-address.ts';

interface Destination {
  to: string;
  name: string;
  Icon: LucideIcon;
  /** Other screens that belong to it. */
  includes?: RegExp;
}

const DESTINATIONS: Destination[] = [
  { to: '/home', name: 'Walk', Icon: Footprints },
  { to: '/locations', name: 'Places', Icon: Trees },
  { to: '/social', name: 'Social', Icon: UsersRound, includes: /^\/(chat\/|walks\/planned$)/ },
  { to: '/dogs', name: 'Dogs', Icon: Dog },
  {
    to: '/you',
    name: 'You',
    Icon: CircleUserRound,
    includes: /^\/(settings$|community$|walks(\/(?!planned$)|$))/,
  },
];

const currentOf = ({ to, includes }: Destination, pathname: string) =>
  to === pathname ? 'page' : includes?.test(pathname) || undefined;

/** The main navigation: at the bottom on a phone, in the header on a wide screen. */
export function Navigation() {
  const { address, unread, requests } = useSocialAddress();
  const { pathname } = useLocation();
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:static md:border-0 md:bg-transparent md:p-0"
    >
      <ul className="mx-auto max-md:@container grid max-w-lg auto-cols-fr grid-flow-col md:flex md:max-w-none md:gap-1">
        {DESTINATIONS.map((destination) => {
          const { to, name, Icon } = destination;
          return (
            <li key={to}>
              <Link
                to={to === '/social' ? address : to}
                // Pressing the current destination again scrolls to the top.
                onClick={() => to === pathname && window.scrollTo(0, 0)}
                aria-current={currentOf(destination, pathname)}
                className="group relative flex min-h-16 flex-col items-center justify-center gap-0.5 text-sm font-bold text-soft aria-[current]:text-accent md:min-h-11 md:flex-row md:gap-2 md:rounded-control md:px-3 md:text-base md:hover:bg-sunken"
              >
                <span className="rounded-full px-4 @max-[17rem]:px-1 py-0.5 group-aria-[current]:bg-accent-soft md:bg-transparent! md:p-0">
                  <Icon aria-hidden className="size-6 md:size-5" />
                </span>
                {/* Large text leaves a phone room for the icons only. Unlike the window's, widths of a container follow the text that is shown. */}
                <span className="@max-[23rem]:tracking-tight @max-[17rem]:sr-only">{name}</span>
                {to === '/social' && (
                  <WaitingBadge
                    unread={unread}
                    requests={requests}
                    className="max-md:absolute max-md:top-1 max-md:left-1/2 max-md:ml-1.5"
                  />
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
