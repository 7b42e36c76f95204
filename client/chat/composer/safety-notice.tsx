import { ShieldCheck } from 'lucide-react';
import { Button } from '../../ui/button.tsx';

/** Stands above the input until its owner has accepted the guidelines; in a low window its button beside it. */
export function SafetyNotice({ onOpen }: { onOpen: () => void }) {
  return (
    <div className="flex flex-col gap-3 rounded-control bg-accent-soft p-3.5 low:bg-transparent low:p-0">
      <p id="safety-notice" className="flex gap-3 low:sr-only">
        <ShieldCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
        <span>
          <strong>Before your first message,</strong> please read and accept our Community Safety
          Guidelines. You only need to do this once.
        </span>
      </p>
      <Button onClick={onOpen}>Read the guidelines</Button>
    </div>
  );
}
