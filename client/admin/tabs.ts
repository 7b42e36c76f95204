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
import type { ComponentType } from 'react';
import { lazyPart } from '../lazy/lazy-component.ts';

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
    Tab: lazyPart(() => import('../access-gate/access-codes-tab.tsx')),
  },
  {
    value: 'advertisements',
    name: 'Advertisements',
    Icon: Megaphone,
    Tab: lazyPart(() => import('../ads/advertisements-tab.tsx')),
  },
  {
    value: 'donations',
    name: 'Donations',
    Icon: HandCoins,
    Tab: lazyPart(() => import('../payments/donations-tab.tsx')),
  },
  {
    value: 'advertisers',
    name: 'Advertisers',
    Icon: Store,
    Tab: lazyPart(() => import('../advertisers/admin/advertisers-tab.tsx')),
  },
  {
    value: 'charities',
    name: 'Charities',
    Icon: HandHeart,
    Tab: lazyPart(() => import('../charities/charities-tab.tsx')),
  },
  {
    value: 'weather-alerts',
    name: 'Weather Alerts',
    Icon: CloudAlert,
    Tab: lazyPart(() => import('../alerts/weather-alerts-tab.tsx')),
  },
  {
    value: 'moderation',
    name: 'Moderation',
    Icon: ShieldCheck,
    Tab: lazyPart(() => import('../moderation/admin/moderation-tab.tsx')),
  },
  {
    value: 'places',
    name: 'Places',
    Icon: Trees,
    Tab: lazyPart(() => import('../locations/places-tab.tsx')),
  },
  {
    value: 'audit-log',
    name: 'Audit Log',
    Icon: History,
    Tab: lazyPart(() => import('./audit-log-tab.tsx')),
  },
];
