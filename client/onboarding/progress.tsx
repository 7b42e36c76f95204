import { Check } from 'lucide-react';

/** The steps: done ones with a check mark, the current one, and the remaining ones. */
export function Progress({ steps, current }: { steps: readonly string[]; current: number }) {
  return (
    <ol aria-label="Progress" className="flex flex-wrap gap-x-1 gap-y-2">
      {steps.map((name, step) => {
        const done = step < current;
        const here = step === current;
        return (
          <li
            key={name}
            aria-current={here ? 'step' : undefined}
            className={`flex flex-1 flex-col items-center gap-1.5 text-center text-sm ${here ? 'font-bold' : 'text-soft'}`}
          >
            <span
              aria-hidden
              className={`flex size-9 items-center justify-center rounded-full font-bold ${
                done
                  ? 'bg-accent text-on-accent'
                  : here
                    ? 'border-2 border-accent bg-surface text-accent'
                    : 'border border-line-strong text-soft'
              }`}
            >
              {done ? <Check className="size-5" strokeWidth={3} /> : step + 1}
            </span>
            {name}
            {done && <span className="sr-only">, done</span>}
          </li>
        );
      })}
    </ol>
  );
}
