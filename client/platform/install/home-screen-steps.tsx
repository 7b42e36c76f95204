import { PawPrint, Share, SquarePlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { PRODUCT } from '../product.ts';

function Step({ picture, children }: { picture: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-center gap-3 py-1">
      <span
        aria-hidden
        className="grid size-11 shrink-0 place-items-center rounded-control border border-line bg-ground text-accent"
      >
        {picture}
      </span>
      <span>{children}</span>
    </li>
  );
}

/** How to put the app on the home screen of an iPhone or iPad, where browsers offer no button for it. */
export function HomeScreenSteps() {
  return (
    <ol className="flex flex-col text-sm">
      <Step picture={<Share className="size-5" />}>Tap Share in your browser.</Step>
      <Step picture={<SquarePlus className="size-5" />}>Then tap Add to Home Screen.</Step>
      <Step picture={<PawPrint className="size-5" />}>Open {PRODUCT} from your home screen.</Step>
    </ol>
  );
}
