import { Download } from 'lucide-react';
import { PRODUCT } from '../product.ts';
import { Button } from '../ui/buttons/button.tsx';
import { HomeScreenSteps } from './home-screen-steps.tsx';
import { PLATFORM } from './install-event.ts';
import { dismissInstall, install } from './install.ts';

const OPENS = PLATFORM === 'desktop' ? 'Opens in its own window' : 'Opens from your home screen';

/** Offers to install the app, or explains how. */
export default function InstallOffer({ isByHand }: { isByHand: boolean }) {
  return (
    <aside
      aria-label="Install"
      className="fixed inset-x-3 bottom-[calc(5rem+env(safe-area-inset-bottom))] z-20 mx-auto max-w-md rounded-card border border-line bg-surface p-4 text-ink shadow-lift md:bottom-6"
    >
      <p role="status">
        <span className="block font-bold">Install {PRODUCT}</span>
        <span className="text-soft">{OPENS}, even offline.</span>
      </p>
      {isByHand && (
        <div className="mt-2">
          <HomeScreenSteps />
        </div>
      )}
      <div className="mt-3 flex gap-2">
        <Button look="secondary" onClick={dismissInstall} className="whitespace-nowrap">
          {isByHand ? 'Got it' : 'Not now'}
        </Button>
        {!isByHand && (
          <Button wide onClick={() => void install()} Icon={Download}>
            Install
          </Button>
        )}
      </div>
    </aside>
  );
}
