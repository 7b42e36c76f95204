import { Check } from 'lucide-react';

/** A state in a word or two, with a check mark if it is on. */
export function Pill({ isOn = false, children }: { isOn?: boolean; children: string }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-xl px-2.5 py-0.5 text-sm font-bold md:whitespace-nowrap ${isOn ? 'bg-accent-soft text-accent' : 'bg-sunken text-ink'}`}
    >
      {isOn && <Check aria-hidden className="size-4 shrink-0" />}
      {children}
    </span>
  );
}
