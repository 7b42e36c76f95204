import { ChevronDown, UsersRound } from 'lucide-react';
import { useId, useState } from 'react';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';

const WillItWork = lazyComponent(
  () => import('./will-it-work.tsx'),
  () => <Skeleton label="Loading…" />,
);

/** A question that opens its answer below, which is loaded then. The button stays, and keeps the focus. */
export function AskWillItWork() {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <section
      aria-label="Will it work here?"
      className="rounded-card border border-line bg-surface shadow-lift"
    >
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-14 w-full items-center gap-3 px-4 py-2 text-left font-bold"
        >
          <UsersRound aria-hidden className="size-6 shrink-0 text-accent" />
          <span className="min-w-0 flex-1">
            Will it work here? How many owners walk in your town
          </span>
          <ChevronDown
            aria-hidden
            className={`size-5 shrink-0 text-soft ${isOpen ? 'rotate-180' : ''}`}
          />
        </button>
      </h2>
      <div id={id} hidden={!isOpen} className="px-4 pb-4">
        {isOpen && <WillItWork />}
      </div>
    </section>
  );
}
