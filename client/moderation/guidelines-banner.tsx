import { ShieldCheck } from 'lucide-react';
import { lazy, Suspense, useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Button } from '../ui/button.tsx';
import { useAcceptance } from './use-acceptance.ts';
import { useGuidelines } from './use-guidelines.ts';

const GuidelinesModal = lazy(() => import('./guidelines-modal.tsx'));

/** Says on the social screen by which rules people meet here, and opens them: `?open=guidelines`. */
export function GuidelinesBanner() {
  // Asked for here, so that they are on the device when somebody wants to write without a network.
  useGuidelines();
  const { acceptedAt } = useAcceptance();
  const [search, setSearch] = useSearchParams();
  const put = useCallback(
    (open: boolean) =>
      setSearch(
        (before) => {
          if (open) before.set('open', 'guidelines');
          else before.delete('open');
          return before;
        },
        { replace: !open },
      ),
    [setSearch],
  );
  return (
    <aside
      aria-label="Community Safety Guidelines"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-card bg-accent-soft py-1.5 pr-1.5 pl-4"
    >
      <ShieldCheck aria-hidden className="size-5 shrink-0 text-accent" />
      <p className="min-w-0 flex-1 basis-48 py-1.5">
        {acceptedAt
          ? 'Be kind, stay safe, and report what is not.'
          : 'Before you write to anybody, read our community safety guidelines.'}
      </p>
      <Button look="quiet" onClick={() => put(true)}>
        Safety Guidelines
      </Button>
      <Suspense>
        {search.get('open') === 'guidelines' && <GuidelinesModal onClose={() => put(false)} />}
      </Suspense>
    </aside>
  );
}
