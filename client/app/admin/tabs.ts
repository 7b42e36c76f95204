import {
  CloudAlert,
  LayoutDashboard,
  HandCoins,
  HandHeart,
  History,
  KeyRound,
  Megaphone,
  ShieldCheck,
  Store,
  Trees,
  TriangleAlert,
  Users,
  type LucideIcon,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';

interface AdminTab {
  /** Value of `?tab=` in the address. */
  value: string;
  name: string;
  Icon: LucideIcon;
  Tab: ComponentType;
}

const lazyTab = (load: Parameters<typeof lazyComponent<object>>[0]): ComponentType =>
  lazyComponent(load, () => Skeleton({ label: 'Loading…', lines: 6 }));

/** The tab of `/admin` without a tab in the address, as the specification has it. */
export const DEFAULT_TAB = 'access-codes';

export const OVERVIEW = 'overview';

/** The tabs of the admin panel. Each belongs to its feature's folder. */
export const TABS: readonly [AdminTab, ...AdminTab[]] = [
  {
    value: OVERVIEW,
    name: 'Overview',
    Icon: LayoutDashboard,
    Tab: lazyTab(() => import('../overview/overview-tab.tsx')),
  },
  {
    value: 'access-codes',
    name: 'Access Codes',
    Icon: KeyRound,
    Tab: lazyTab(() => import('../../features/access-gate/access-codes-tab.tsx')),
  },
  {
    value: 'advertisements',
    name: 'Advertisements',
    Icon: Megaphone,
    Tab: lazyTab(() => import('../../features/ads/advertisements-tab.tsx')),
  },
  {
    value: 'donations',
    name: 'Donations',
    Icon: HandCoins,
    Tab: lazyTab(() => import('../../features/payments/donations-tab.tsx')),
  },
  {
    value: 'advertisers',
    name: 'Advertisers',
    Icon: Store,
    Tab: lazyTab(() => import('../../features/advertisers/admin/advertisers-tab.tsx')),
  },
  {
    value: 'charities',
    name: 'Charities',
    Icon: HandHeart,
    Tab: lazyTab(() => import('../../features/charities/charities-tab.tsx')),
  },
  {
    value: 'weather-alerts',
    name: 'Emergency Alerts',
    Icon: CloudAlert,
    Tab: lazyTab(() => import('../../features/alerts/weather-alerts-tab.tsx')),
  },
  {
    value: 'people',
    name: 'People',
    Icon: Users,
    Tab: lazyTab(() => import('../../features/moderation/people/people-tab.tsx')),
  },
  {
    value: 'moderation',
    name: 'Moderation',
    Icon: ShieldCheck,
    Tab: lazyTab(() => import('../../features/moderation/admin/moderation-tab.tsx')),
  },
  {
    value: 'places',
    name: 'Places',
    Icon: Trees,
    Tab: lazyTab(() => import('../../features/locations/places-tab.tsx')),
  },
  {
    value: 'hazards',
    name: 'Hazards',
    Icon: TriangleAlert,
    Tab: lazyTab(() => import('../../features/hazards/hazards-tab.tsx')),
  },
  {
    value: 'audit-log',
    name: 'Audit Log',
    Icon: History,
    Tab: lazyTab(() => import('../../platform/admin/audit-log-tab.tsx')),
  },
];
