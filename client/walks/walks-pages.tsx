import { useMatch } from 'react-router-dom';
import WalkPage from './walk-page.tsx';
import WalksPage from './walks-page.tsx';

/** The screens below `/walks`: the list, and one walk. */
export default function WalksPages() {
  return useMatch('/walks') ? <WalksPage /> : <WalkPage />;
}
