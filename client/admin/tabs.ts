import {
  CloudAlert,
  HandCoins,
  HandHeart,
  History,
  KeyRound,
  Megaphone,
  ShieldCheck,
  Store,
  Trees,
  type LucideIcon,
} from 'lucide-react';
import { lazy, type ComponentType } from 'react';

interface AdminTab {
  /** In the address, as `?tab=`. */
  value: string;
  name: string;
  Icon: LucideIcon;
  Tab: ComponentType;
}

/** The tabs of the admin panel, the first of which opens by itself. Each lives in its feature. */
export const TABS: readonly [AdminTab, ...AdminTab[]] = [
  {
    value: 'access-codes',
    name: 'Access Codes',
    Icon: KeyRound,
    Tab: lazy(() => import('../access-gate/access-codes-tab.tsx')),
  },
  {
    value: 'advertisements',
    name: 'Advertisements',
    Icon: Megaphone,
    Tab: lazy(() => import('../ads/advertisements-tab.tsx')),
  },
  {
    value: 'donations',
    name: 'Donations',
    Icon: HandCoins,
    Tab: lazy(() => import('../payments/donations-tab.tsx')),
  },
  {
    value: 'advertisers',
    name: 'Advertisers',
    Icon: Store,
    Tab: lazy(() => import('../advertisers/advertisers-tab.tsx')),
  },
  {
    value: 'charities',
    name: 'Charities',
    Icon: HandHeart,
    Tab: lazy(() => import('../charities/charities-tab.tsx')),
  },
  {
    value: 'weather-alerts',
    name: 'Weather Alerts',
    Icon: CloudAlert,
    Tab: lazy(() => import('../alerts/weather-alerts-tab.tsx')),
  },
  {
    value: 'moderation',
    name: 'Moderation',
    Icon: ShieldCheck,
    Tab: lazy(() => import('../moderation/moderation-tab.tsx')),
  },
  {
    value: 'places',
    name: 'Places',
    Icon: Trees,
    Tab: lazy(() => import('../locations/places-tab.tsx')),
  },
  {
    value: 'audit-log',
    name: 'Audit Log',
    Icon: History,
    Tab: lazy(() => import('./audit-log-tab.tsx')),
  },
];
