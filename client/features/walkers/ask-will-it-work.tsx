import { ChevronDown, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';

const WillItWork = lazyComponent(() => import('./will-it-work.tsx'));

/** A question that opens its answer, which is loaded then. */
export function AskWillItWork() {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <WillItWork onClose={() => setOpen(false)} />;
  return (
    <button
      type="button"
      aria-expanded={false}
      onClick={() => setOpen(true)}
      className="flex min-h-14 w-full items-center gap-3 rounded-card border border-line bg-surface px-4 py-2 text-left font-bold shadow-lift"
    >
      <UsersRound aria-hidden className="size-6 shrink-0 text-accent" />
      <span className="min-w-0 flex-1">Will it work here? How many owners walk in your town</span>
      <ChevronDown aria-hidden className="size-5 shrink-0 text-soft" />
    </button>
  );
}
