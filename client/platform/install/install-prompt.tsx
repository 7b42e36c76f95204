import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { optionalComponent } from '../lazy/lazy-component.tsx';
import { installing } from './install-event.ts';

const InstallOffer = optionalComponent(() => import('./install-offer.tsx'));

const DELAY_MS = 3_000;

/**
 * Offers to install the app, shortly after the browser says that it can be. For browsers without that event, the dashboard
 * explains how to install it.
 */
export function InstallPrompt() {
  const how = useSyncExternalStore(installing.subscribe, installing.get);
  const { pathname } = useLocation();
  const [shownFor, setShownFor] = useState<typeof how>(null);
  const wanted = how === 'by hand' && pathname !== '/home' ? null : how;
  useEffect(() => {
    const timer = setTimeout(() => setShownFor(wanted), DELAY_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  if (!wanted || shownFor !== wanted) return null;
  return <InstallOffer isByHand={wanted === 'by hand'} />;
}
