import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';

/** The line that opens a `<details>`, with a chevron instead of the browser's own mark. */
export function Summary({
  className = 'font-bold text-accent',
  children,
}: {
  className?: string;
  children: ReactNode;
}) {
  return (
    <summary
      className={`flex min-h-11 cursor-pointer list-none items-center gap-1 [&::-webkit-details-marker]:hidden ${className}`}
    >
      {children}
      <ChevronDown
        aria-hidden
        className="size-4 shrink-0 transition-transform motion-reduce:transition-none [details[open]>summary>&]:rotate-180"
      />
    </summary>
  );
}
