import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { useUser } from '../session/use-auth.tsx';
import { LeadingTab } from './leading-tab.ts';

const LeadingTabContext = createContext<LeadingTab | null>(null);

/** Takes part in choosing the tab that leads, and hears its events, for as long as it is on the screen. */
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
 * The tab that leads, and its events, as this tab has them.
 * @throws outside a LeadingTabProvider
 */
export function useLeadingTab(): LeadingTab {
  const tab = useContext(LeadingTabContext);
  if (!tab) throw new Error('useLeadingTab must be used within a LeadingTabProvider');
  return tab;
}
