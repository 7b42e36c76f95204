import { useMatch } from 'react-router-dom';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import WalkPage from './walk-page.tsx';
import WalksPage from './walks-page.tsx';

const PlannedWalksPage = lazyComponent(() => import('../planned-walks/planned-walks-page.tsx'));

/** The screens below `/walks`: the list, one walk, and the planned walks. */
export default function WalksPages() {
  const isList = useMatch('/walks');
  const isPlanned = useMatch('/walks/planned');
  if (isPlanned) return <PlannedWalksPage />;
  return isList ? <WalksPage /> : <WalkPage />;
}
