import {
  createContext,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { useUser } from '../session/use-auth.tsx';
import { LeadingTab } from './leading-tab.ts';

const LeadingTabContext = createContext<LeadingTab | null>(null);

/** Takes part in electing the leading tab, and receives its events, while mounted. */
export function LeadingTabProvider({ children }: { children: ReactNode }) {
  const user = useUser();
  const [tab] = useState(() => new LeadingTab(user?.id ?? ''));
  useEffect(() => {
    tab.start();
    return () => tab.stop();
  }, [tab]);
  return <LeadingTabContext value={tab}>{children}</LeadingTabContext>;
}

/**
 * Returns this tab's view of the leading tab and its events.
 * @throws outside a LeadingTabProvider
 */
export function useLeadingTab(): LeadingTab {
  const tab = useContext(LeadingTabContext);
  if (!tab) throw new Error('useLeadingTab must be used within a LeadingTabProvider');
  return tab;
}

/** Whether this tab leads: it plays sounds and refreshes in the background. */
export function useLeads(): boolean {
  const tab = useLeadingTab();
  return useSyncExternalStore(tab.onLeads, () => tab.leads);
}
