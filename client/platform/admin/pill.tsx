import { Check, TriangleAlert } from 'lucide-react';

/** A state in a word or two, with a check mark if it is on, and a warning sign if it failed. */
export function Pill({
  isOn = false,
  hasFailed = false,
  children,
}: {
  isOn?: boolean;
  hasFailed?: boolean;
  children: string;
}) {
  const look = hasFailed
    ? 'bg-sunken text-poor'
    : isOn
      ? 'bg-accent-soft text-accent'
      : 'bg-sunken text-ink';
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-xl px-2.5 py-0.5 text-sm font-bold md:whitespace-nowrap ${look}`}
    >
      {isOn && <Check aria-hidden className="size-4 shrink-0" />}
      {hasFailed && <TriangleAlert aria-hidden className="size-4 shrink-0" />}
      {children}
    </span>
  );
}
