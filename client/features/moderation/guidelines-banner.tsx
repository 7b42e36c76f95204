import { ChevronRight, ShieldCheck } from 'lucide-react';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import { useGuidelinesAcceptance } from './use-guidelines-acceptance.ts';
import { useGuidelines } from './use-guidelines.ts';

const GuidelinesModal = lazyComponent(() => import('./guidelines-modal.tsx'));

/** A link on the social screen that opens the guidelines: `?open=guidelines`. */
export function GuidelinesBanner() {
  // Loads them early, so that they're available offline when the user wants to write.
  useGuidelines();
  const { acceptedAt } = useGuidelinesAcceptance();
  const { opened, open, close } = useDialogParam();
  // Afterwards, each chat has them in its menu.
  if (acceptedAt && opened !== 'guidelines') return null;
  return (
    <aside aria-label="Community Safety Guidelines">
      <button
        type="button"
        onClick={() => open('guidelines')}
        className="flex min-h-11 w-full items-center gap-3 rounded-card bg-accent-soft px-4 py-2 text-left"
      >
        <ShieldCheck aria-hidden className="size-5 shrink-0 text-accent max-[17rem]:hidden" />
        <span className="min-w-0 flex-1">
          <span className="font-bold underline underline-offset-4">
            Community Safety Guidelines
          </span>
        </span>
        <ChevronRight aria-hidden className="size-5 shrink-0 text-accent max-[17rem]:hidden" />
      </button>
      {opened === 'guidelines' && <GuidelinesModal onClose={close} />}
    </aside>
  );
}
